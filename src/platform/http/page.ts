import { createElement, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** A part of a page that the server draws itself; words in it are escaped. */
export type PagePart = ReactElement
export type PageContent = ReactNode
export const h: typeof createElement = createElement

type Page = {
  language: string
  title: string
  /** Without quotes or angle brackets, which would be escaped. */
  style: string
  /** Path of a script of our own that only adds to what stands there. */
  script?: string
  /** Where it leads by itself, and when. */
  refresh?: { seconds: number; url: string }
  content: PageContent
}

/** A whole HTML document for somebody who has the address and nothing else: found by no search, told to no other site. */
export const drawPage = ({ language, title, style, script, refresh, content }: Page): string =>
  `<!doctype html>${renderToStaticMarkup(
    h(
      'html',
      { lang: language },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('meta', { name: 'robots', content: 'noindex' }),
        h('meta', { name: 'referrer', content: 'no-referrer' }),
        refresh ? h('meta', { httpEquiv: 'refresh', content: `${refresh.seconds};url=${refresh.url}` }) : null,
        h('title', null, title),
        h('link', { rel: 'icon', href: '/favicon.svg' }),
        h('style', null, style),
        script ? h('script', { src: script, defer: true }) : null,
      ),
      h('body', null, content),
    ),
  )}`
