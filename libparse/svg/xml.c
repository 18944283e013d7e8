/* SPDX-License-Identifier: MIT */
#include "libparse/svg/xml.h"

#include "base/limits.h"
#include "base/vec.h"

struct text xml_find(const struct xml_attribute *attributes, size_t count, const char *prefix,
		     const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (text_is(attributes[i].name, name) && text_is(attributes[i].prefix, prefix))
			return attributes[i].value;
	return (struct text){ NULL, 0 };
}

#ifdef HAVE_LIBXML2

#include <libxml/parser.h>
#include <libxml/parserInternals.h>

struct reading {
	const struct input *input;
	const struct xml_taker *taker;
	struct xml_extent *extent;
	xmlParserCtxt *parser;
	uint64_t next;            /* byte of the input to be read */
	uint32_t attribute_count; /* about, since the last '<' */
	char last;                /* byte that was read */
	uint32_t depth;
	VEC(struct xml_attribute) attributes;
	const char *failure; /* why it ended; NULL: it did not */
	struct error err;
};

static void stop(struct reading *reading, const char *why)
{
	if (!reading->failure)
		reading->failure = why;
	xmlStopParser(reading->parser);
}

/*
 * What libxml2 does to the attributes of one element grows with the square of their number, and their
 * end is known only behind the last. So they are counted before it sees them.
 */
static bool is_harmless(struct reading *reading, const char *bytes, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++) {
		char c = bytes[i];

		if (c == '<')
			reading->attribute_count = 0;
		else if (reading->last == '=' && (c == '"' || c == '\''))
			reading->attribute_count++;
		if (c == '\0' || reading->attribute_count > LIMIT_XML_ATTRIBUTES)
			return false;
		/* Blanks may stand between the two. */
		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			reading->last = c;
	}
	return true;
}

static int read_bytes(void *context, char *buffer, int size_bytes)
{
	struct reading *reading = context;
	size_t got;

	if (reading->failure || !input_read(reading->input, reading->next, buffer,
					    (size_t)size_bytes, &got, &reading->err)) {
		if (!reading->failure)
			reading->failure = reading->err.text;
		return -1;
	}
	if (!is_harmless(reading, buffer, got)) {
		reading->failure = "it holds what no picture does: NUL bytes, or an element with "
				   "too many attributes";
		return -1;
	}
	reading->next += got;
	return (int)got;
}

static struct text text_of_xml(const xmlChar *at)
{
	return text_of(at ? (const char *)at : "");
}

static void open_element(void *context, const xmlChar *name, const xmlChar *prefix,
			 const xmlChar *uri, int namespace_count, const xmlChar **namespaces,
			 int count, int default_count, const xmlChar **attributes)
{
	struct reading *reading = context;

	(void)prefix;
	(void)uri;
	(void)namespace_count;
	(void)namespaces;
	(void)default_count;
	if (++reading->depth > LIMIT_XML_DEPTH) {
		stop(reading, "its elements lie too deep in each other");
		return;
	}
	reading->attributes.count = 0;
	/* Five pointers each: name, prefix, URI, value, and its end. */
	for (int i = 0; i < count; i++, attributes += 5)
		vec_push(&reading->attributes,
			 (struct xml_attribute){
				 .prefix = text_of_xml(attributes[1]),
				 .name = text_of_xml(attributes[0]),
				 .value = { (const char *)attributes[3],
					    (uint32_t)(attributes[4] - attributes[3]) },
			 });
	reading->taker->open(reading->taker->context, text_of_xml(name), reading->attributes.at,
			     reading->attributes.count);
}

static void close_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri)
{
	struct reading *reading = context;
	long consumed;

	(void)prefix;
	(void)uri;
	reading->depth--;
	reading->taker->close(reading->taker->context, text_of_xml(name));
	if (reading->depth)
		return;
	/* What is behind it is none of the document, be it well-formed or not. */
	consumed = xmlByteConsumed(reading->parser);
	if (consumed > 0)
		reading->extent->end = reading->extent->begin + (uint64_t)consumed;
	xmlStopParser(reading->parser);
}

static void take_text(void *context, const xmlChar *at, int length)
{
	struct reading *reading = context;

	reading->taker->text(reading->taker->context,
			     (struct text){ (const char *)at, (uint32_t)length });
}

static const char declares[] = "it declares entities or attributes of its own";

static void refuse_entity(void *context, const xmlChar *name, int type, const xmlChar *public_id,
			  const xmlChar *system_id, xmlChar *content)
{
	(void)name;
	(void)type;
	(void)public_id;
	(void)system_id;
	(void)content;
	stop(context, declares);
}

static void refuse_attribute(void *context, const xmlChar *element, const xmlChar *name, int type,
			     int kind, const xmlChar *value, xmlEnumeration *values)
{
	(void)element;
	(void)name;
	(void)type;
	(void)kind;
	(void)value;
	xmlFreeEnumeration(values);
	stop(context, declares);
}

/* Of errors the first is kept: what follows is mostly of it. */
static void take_error(void *context, xmlError *error)
{
	struct reading *reading = context;

	if (error->level < XML_ERR_ERROR || reading->err.code != ERROR_NONE)
		return;
	error_set(&reading->err, ERROR_CORRUPT, "line %d: %.*s", error->line,
		  error->message ? (int)strcspn(error->message, "\n") : 0,
		  error->message ? error->message : "");
}

static void parse(struct reading *reading)
{
	xmlSAXHandler handler = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = open_element,
		.endElementNs = close_element,
		.characters = take_text,
		.cdataBlock = take_text,
		.entityDecl = refuse_entity,
		.attributeDecl = refuse_attribute,
		.serror = (xmlStructuredErrorFunc)take_error,
	};

	reading->parser = xmlCreateIOParserCtxt(&handler, reading, read_bytes, NULL, reading,
						XML_CHAR_ENCODING_UTF8);
	if (!reading->parser) {
		reading->failure = "libxml2 cannot begin";
		return;
	}
	xmlCtxtUseOptions(reading->parser, XML_PARSE_NONET | XML_PARSE_RECOVER |
						   XML_PARSE_IGNORE_ENC | XML_PARSE_HUGE);
	xmlParseDocument(reading->parser);
	/* Entities that are declared go into a document too, whoever else is told. */
	xmlFreeDoc(reading->parser->myDoc);
	reading->parser->myDoc = NULL;
	xmlFreeParserCtxt(reading->parser);
}

bool xml_read(const struct input *input, struct xml_extent *extent, const struct xml_taker *taker,
	      struct error *err)
{
	struct reading reading = {
		.input = input,
		.taker = taker,
		.extent = extent,
		.next = extent->begin,
	};

	parse(&reading);
	vec_free(&reading.attributes);
	if (reading.failure)
		return error_set(err, ERROR_CORRUPT, "%s", reading.failure);
	if (reading.err.code == ERROR_NONE)
		return true;
	*err = reading.err;
	return false;
}

#else

bool xml_read(const struct input *input, struct xml_extent *extent, const struct xml_taker *taker,
	      struct error *err)
{
	(void)input;
	(void)extent;
	(void)taker;
	return error_set(
		err, ERROR_UNSUPPORTED,
		"is a picture, which this build cannot read: it was built without libxml2");
}

#endif
