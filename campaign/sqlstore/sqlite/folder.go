package sqlite

import "runtime"

// folderless means that folders cannot be synced: on Windows a folder is not a file.
const folderless = runtime.GOOS == "windows"
