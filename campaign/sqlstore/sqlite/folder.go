package sqlite

import "runtime"

// folderless says that a folder cannot be synced: there it is no file.
const folderless = runtime.GOOS == "windows"
