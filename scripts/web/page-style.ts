import { PurgeCSS } from 'purgecss'

/** Scripts write an attribute as `dataset.name`, which nobody finds by its word; but these pages are never dark. */
const attributesOf = (style: string): string[] =>
  [...style.matchAll(/\[([\w-]+)/g)].flatMap(([, name]) => (name && name !== 'data-theme' ? [name] : []))

/** Custom properties that an element or a script asks for beside the style sheet. */
const propertiesOf = (texts: readonly string[]): string[] => texts.join(' ').match(/--[\w-]+/g) ?? []

const place = /(<style>)([\s\S]*?)(<\/style>)/

/**
 * A rendered page with only those rules of its style that the page, or a script of it, can ask for: what no word of either names is left out.
 * @param scripts the text of the page's scripts, which set classes of their own
 */
export const withOwnStyle = async (page: string, scripts: readonly string[]): Promise<string> => {
  const style = place.exec(page)?.[2] ?? ''
  const texts = [page.replace(place, ''), ...scripts]
  const content = texts.map((raw) => ({ raw, extension: 'html' }))
  const [own] = await new PurgeCSS().purge({
    content,
    css: [{ raw: style }],
    keyframes: true,
    variables: true,
    dynamicAttributes: attributesOf(style),
    // what is asked of neighbors is not read by the purge: `:is(#a, #b)` is gone as soon as one of them is on another page
    safelist: { variables: propertiesOf(texts), greedy: [/:has\(/] },
  })
  if (!own?.css) throw new Error('A page without any style: the style sheet could not be read.')
  return page.replace(place, (_, open: string, _style: string, close: string) => open + own.css + close)
}
