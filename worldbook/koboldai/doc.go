// Package koboldai reads the world info of KoboldAI and KoboldAI Lite stories.
package koboldai
