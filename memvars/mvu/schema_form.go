package mvu

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// This file converts nodes to the schema in the form of MVU, and back.

// generate writes the whole schema of a value, in MVU's form.
//
// MVU stores this schema next to the data and regenerates it after every message. Here it is a
// view: the nodes have the author's rules, and the rest follows from the data.
func (n *node) generate(v tree.Value, inherited, compat bool) []tree.Member {
	r := n.rights(inherited, compat)
	flags := []tree.Member{
		member("extensible", tree.Bool(r.open)),
		member("recursiveExtensible", tree.Bool(r.recursive)),
	}
	if n != nil && n.template.Exists() {
		flags = append(flags, member("template", n.template))
	}
	switch v.Kind() {
	case tree.KindObject:
		return append(schemaMembers("object", n.properties(v, r, compat)), flags...)
	case tree.KindArray:
		return append(append(schemaMembers("array"), flags...), n.elementType(v, r, compat))
	case tree.KindText:
		return schemaMembers("string")
	case tree.KindNumber:
		return schemaMembers("number")
	case tree.KindBool:
		return schemaMembers("boolean")
	}
	return schemaMembers("any")
}

// member returns a member of a written schema.
func member(key string, v tree.Value) tree.Member {
	return tree.Member{Key: key, Value: v}
}

// schemaMembers returns the members of a written schema: its type, and the given ones.
func schemaMembers(name string, members ...tree.Member) []tree.Member {
	return append([]tree.Member{member("type", tree.Text(name))}, members...)
}

// properties describes the members of an object. In a closed object all members are required.
func (n *node) properties(v tree.Value, r rights, compat bool) tree.Member {
	var properties []tree.Member
	for key, child := range v.Members() {
		schema := append(n.child(tree.KindObject, key).generate(child, r.recursive, compat),
			member("required", tree.Bool(r.requires(key))))
		properties = append(properties, member(key, tree.Object(schema...)))
	}
	return member("properties", tree.Object(properties...))
}

// elementType describes the elements of a list by its first element.
func (n *node) elementType(v tree.Value, r rights, compat bool) tree.Member {
	element := schemaMembers("any")
	if v.Len() > 0 {
		element = n.child(tree.KindArray, "").generate(v.At(0), r.recursive, compat)
	}
	return member("elementType", tree.Object(element...))
}

// schemaOf returns the whole schema of the data with its markers.
func (n *node) schemaOf(root tree.Value, compat bool) tree.Value {
	out := n.generate(root, false, compat)
	if n != nil && n.strictTemplate {
		out = append(out, member("strictTemplate", tree.Bool(true)))
	}
	if n != nil && n.strictSet {
		out = append(out, member("strictSet", tree.Bool(true)))
	}
	if n != nil && n.mergeTemplates {
		out = append(out, member("concatTemplateArray", tree.Bool(false)))
	}
	return tree.Object(out...)
}

// fromSchema reads a stored schema. inherited says that the parent allows changes in everything below.
// Rules that follow from the parent are left out, so that repeated reading and writing of a schema
// keeps the tree of nodes small.
func fromSchema(schema tree.Value, inherited bool) *node {
	n := &node{}
	n.readMeta(schema)
	isOpen, _ := schema.Get("extensible").AsBool()
	isRecursive, _ := schema.Get("recursiveExtensible").AsBool()
	n.extensible = isOpen && !inherited
	n.sealed = !isOpen && inherited
	n.recursive = isRecursive && (!inherited || n.sealed)
	if text, _ := schema.Get("type").AsText(); text != "object" && text != "array" {
		return nil
	}
	n.required = nil
	for key, child := range schema.Get("properties").Members() {
		if b, _ := child.Get("required").AsBool(); b && isOpen {
			n.required = append(n.required, key)
		}
		if sub := fromSchema(child, isRecursive); sub != nil {
			n.setMember(key, sub)
		}
	}
	slices.Sort(n.required)
	n.element = fromSchema(schema.Get("elementType"), isRecursive)
	if n.empty() {
		return nil
	}
	return n
}
