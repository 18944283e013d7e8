/* SPDX-License-Identifier: MIT */
#include "libparse/svg/xml.h"

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

#include "base/library.h"

#define LIBXML2_FUNCTIONS(_)     \
	_(xmlByteConsumed)       \
	_(xmlCreateIOParserCtxt) \
	_(xmlCtxtUseOptions)     \
	_(xmlFreeDoc)            \
	_(xmlFreeEnumeration)    \
	_(xmlFreeParserCtxt)     \
	_(xmlParseDocument)      \
	_(xmlStopParser)

/*
 * libxml2 is loaded at first use, because loading ICU, on which it depends, would take a third of
 * kiln's start-up time.
 */
struct libxml2 {
	LIBXML2_FUNCTIONS(LIBRARY_MEMBER)
};

/* Maximum number of nested XML elements. Flame graphs have about five levels. */
#define LIMIT_XML_DEPTH 256u
/*
 * Maximum number of attributes of one XML element. Flame graphs have about twenty. libxml2's time
 * grows with the square of the number of attributes.
 */
#define LIMIT_XML_ATTRIBUTES 256u

struct xml_reading {
	struct libxml2 lib;
	const struct input *input;
	const struct xml_callbacks *callbacks;
	struct xml_extent *extent;
	xmlParserCtxt *parser;
	uint64_t next;            /* input offset of the next byte */
	uint32_t attribute_count; /* estimated number of attributes since the last '<' */
	char last;                /* the last byte that is not blank */
	uint32_t depth;
	VEC(struct xml_attribute) attributes;
	const char *failure; /* why reading stopped early; NULL if reading was complete */
	struct error err;
};

static void stop(struct xml_reading *reading, const char *why)
{
	if (!reading->failure)
		reading->failure = why;
	reading->lib.xmlStopParser(reading->parser);
}

/*
 * The time of libxml2 is quadratic in the number of attributes of an element. libxml2 reports
 * attributes only after the last one. kiln therefore counts attributes before libxml2 reads them.
 */
static bool is_harmless(struct xml_reading *reading, const char *bytes, size_t size_bytes)
{
	for (size_t i = 0; i < size_bytes; i++) {
		char c = bytes[i];

		if (c == '<')
			reading->attribute_count = 0;
		else if (reading->last == '=' && (c == '"' || c == '\''))
			reading->attribute_count++;
		if (c == '\0' || reading->attribute_count > LIMIT_XML_ATTRIBUTES)
			return false;
		/* Blanks are allowed between "=" and the quote. */
		if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
			reading->last = c;
	}
	return true;
}

static int read_bytes(void *context, char *buffer, int size_bytes)
{
	struct xml_reading *reading = context;
	size_t got;

	if (reading->failure || !input_read(reading->input, reading->next, buffer,
					    (size_t)size_bytes, &got, &reading->err)) {
		if (!reading->failure)
			reading->failure = reading->err.text;
		return -1;
	}
	if (!is_harmless(reading, buffer, got)) {
		reading->failure = "it contains NUL bytes, or an element with too many attributes";
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
	struct xml_reading *reading = context;

	(void)prefix;
	(void)uri;
	(void)namespace_count;
	(void)namespaces;
	(void)default_count;
	if (++reading->depth > LIMIT_XML_DEPTH) {
		stop(reading, "its elements are nested too deeply");
		return;
	}
	reading->attributes.count = 0;
	/*
	 * libxml2 passes five pointers for each attribute: name, prefix, URI, value, and the
	 * value's end.
	 */
	for (int i = 0; i < count; i++, attributes += 5)
		vec_push(&reading->attributes,
			 (struct xml_attribute){
				 .prefix = text_of_xml(attributes[1]),
				 .name = text_of_xml(attributes[0]),
				 .value = { (const char *)attributes[3],
					    (uint32_t)(attributes[4] - attributes[3]) },
			 });
	reading->callbacks->open(reading->callbacks->context, text_of_xml(name),
				 reading->attributes.at, reading->attributes.count);
}

static void close_element(void *context, const xmlChar *name, const xmlChar *prefix,
			  const xmlChar *uri)
{
	struct xml_reading *reading = context;
	long consumed;

	(void)prefix;
	(void)uri;
	reading->depth--;
	reading->callbacks->close(reading->callbacks->context, text_of_xml(name));
	if (reading->depth)
		return;
	/* Text after the outermost element is not part of the document. */
	consumed = reading->lib.xmlByteConsumed(reading->parser);
	if (consumed > 0)
		reading->extent->end = reading->extent->begin + (uint64_t)consumed;
	reading->lib.xmlStopParser(reading->parser);
}

static void add_text(void *context, const xmlChar *at, int length)
{
	struct xml_reading *reading = context;

	reading->callbacks->text(reading->callbacks->context,
				 (struct text){ (const char *)at, (uint32_t)length });
}

static const char declares[] = "it declares entities or attributes";

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
	struct xml_reading *reading = context;

	(void)element;
	(void)name;
	(void)type;
	(void)kind;
	(void)value;
	reading->lib.xmlFreeEnumeration(values);
	stop(reading, declares);
}

/* Keeps the first error; later errors usually follow from it. */
static void keep_error(void *context, xmlError *error)
{
	struct xml_reading *reading = context;

	if (error->level < XML_ERR_ERROR || reading->err.code != ERROR_NONE)
		return;
	error_set(&reading->err, ERROR_CORRUPT, "line %d: %.*s", error->line,
		  error->message ? (int)strcspn(error->message, "\n") : 0,
		  error->message ? error->message : "");
}

static void parse(struct xml_reading *reading)
{
	xmlSAXHandler handler = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = open_element,
		.endElementNs = close_element,
		.characters = add_text,
		.cdataBlock = add_text,
		.entityDecl = refuse_entity,
		.attributeDecl = refuse_attribute,
		.serror = (xmlStructuredErrorFunc)keep_error,
	};

	reading->parser = reading->lib.xmlCreateIOParserCtxt(&handler, reading, read_bytes, NULL,
							     reading, XML_CHAR_ENCODING_UTF8);
	if (!reading->parser) {
		reading->failure = "libxml2 failed to start";
		return;
	}
	reading->lib.xmlCtxtUseOptions(reading->parser, XML_PARSE_NONET | XML_PARSE_RECOVER |
								XML_PARSE_IGNORE_ENC |
								XML_PARSE_HUGE);
	reading->lib.xmlParseDocument(reading->parser);
	/* libxml2 stores declared entities in a document, even for a SAX parser. */
	reading->lib.xmlFreeDoc(reading->parser->myDoc);
	reading->parser->myDoc = NULL;
	reading->lib.xmlFreeParserCtxt(reading->parser);
}

bool xml_read(const struct input *input, struct xml_extent *extent,
	      const struct xml_callbacks *callbacks, struct error *err)
{
	struct xml_reading reading = {
		.input = input,
		.callbacks = callbacks,
		.extent = extent,
		.next = extent->begin,
	};

	if (!LIBRARY_LOAD(LIBXML2_SONAME, LIBXML2_FUNCTIONS, &reading.lib))
		return error_set(err, ERROR_UNSUPPORTED, "is an SVG; install libxml2 (%s)",
				 LIBXML2_SONAME);
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

bool xml_read(const struct input *input, struct xml_extent *extent,
	      const struct xml_callbacks *callbacks, struct error *err)
{
	(void)input;
	(void)extent;
	(void)callbacks;
	return error_set(err, ERROR_UNSUPPORTED, "is an SVG, but kiln was built without libxml2");
}

#endif
