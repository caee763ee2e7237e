package sqlstore

// KeyedText is the question for keys.
const KeyedText = keyedText
