package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"
)

// main gives the page an object with three functions. Each returns a promise of JSON.
func main() {
	ctx := context.Background()
	var now *table
	js.Global().Set("playground", map[string]any{
		"open": promise(func(args []js.Value) (any, error) {
			var files []file
			for i := range args[0].Length() {
				f := args[0].Index(i)
				data := make([]byte, f.Get("data").Get("length").Int())
				js.CopyBytesToGo(data, f.Get("data"))
				files = append(files, file{f.Get("name").String(), data})
			}
			t, about, err := open(ctx, files)
			if err == nil {
				now = t
			}
			return about, err
		}),
		"glow": promise(func(args []js.Value) (any, error) { return now.glow(ctx, args[0].String()) }),
		"play": promise(func(args []js.Value) (any, error) { return now.play(ctx, args[0].String(), args[1].String()) }),
	})
	select {} // the page calls the functions
}

// promise makes a function of the page from do, which may wait.
func promise(do func([]js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any {
		begin := js.FuncOf(func(_ js.Value, settle []js.Value) any {
			go func() {
				result, err := do(args)
				data, unwritten := json.Marshal(result)
				if err == nil {
					err = unwritten
				}
				if err != nil {
					settle[1].Invoke(fmt.Sprint(err))
					return
				}
				settle[0].Invoke(string(data))
			}()
			return nil
		})
		defer begin.Release() // New calls it at once
		return js.Global().Get("Promise").New(begin)
	})
}
