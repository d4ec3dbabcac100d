import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { type Tracking, type WrittenLetter, webAddress } from './letter.ts'

/** A part of a mail to many. Words only, never markup: everything is escaped. */
export type NewsPart =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'button'; label: string; url: string }
  | { kind: 'offer'; title: string; note: string }
  | { kind: 'picture'; url: string; alt: string }
  | { kind: 'divider' }

export type Newsletter = {
  language: 'en' | 'es'
  from: string
  /** #rrggbb */
  brandColor: string
  logoUrl: string | null
  subject: string
  /** What a list of mails shows beside the subject. */
  preheader: string
  parts: readonly NewsPart[]
  footer: {
    /** Who writes, from where, how they are reached: a line each. */
    sender: readonly string[]
    /** Why they get it. */
    why: string
    stop: string
    /** Null where nobody in particular reads it: the words stand there without a link. */
    stopUrl: string | null
  }
  tracking: Tracking | null
}

const day = { paper: '#faf8f3', ink: '#16211a', quiet: '#4d5a51', line: '#e2ddd0', offer: '#eef3ec', link: '#14432f' }
const night = { paper: '#10170f', ink: '#eef2ea', quiet: '#b3beb2', line: '#3a463a', offer: '#1d291e', link: '#9fd3a8' }
const font = "'Hanken Grotesk','Segoe UI',Roboto,Arial,sans-serif"

/** What a mail program that is dark shows instead; those that know no such rule draw the light one, or turn the colors around themselves. */
const nightRules = `.n-paper{background:${night.paper} !important}.n-ink{color:${night.ink} !important}.n-quiet{color:${night.quiet} !important}.n-line{border-color:${night.line} !important}.n-offer{background:${night.offer} !important;border-color:${night.line} !important}.n-link{color:${night.link} !important}`

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

/** Black or white, whichever is read better on a color (WCAG relative luminance). */
const onColor = (color: string): string => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.36 ? '#111111' : '#ffffff'
}

const lines = (text: string): ReactNode[] =>
  text.split('\n').flatMap((one, index) => (index === 0 ? [one] : [h('br', { key: index }), one]))

const linked = (text: string, hrefOf: (url: string) => string): ReactNode[] =>
  text.split(webAddress).flatMap((piece, index): ReactNode[] =>
    index % 2 === 1
      ? [
          h(
            Link,
            {
              key: `a${index}`,
              href: hrefOf(piece),
              className: 'n-link',
              style: { color: day.link, textDecoration: 'underline' },
            },
            piece,
          ),
        ]
      : lines(piece).map((one, at) => h('span', { key: `${index} ${at}` }, one)),
  )

const words = { margin: '0 0 16px', fontSize: '16px', lineHeight: '25px', color: day.ink }

const partHtml = (part: NewsPart, key: number, brand: string, hrefOf: (url: string) => string): ReactElement => {
  switch (part.kind) {
    case 'heading':
      return h(
        'h2',
        {
          key,
          className: 'n-ink',
          style: { ...words, margin: '24px 0 12px', fontSize: '22px', lineHeight: '28px', fontWeight: 700 },
        },
        part.text,
      )
    case 'text':
      return h(
        'div',
        { key },
        part.text
          .split(/\n{2,}/)
          .map((one, at) => h(Text, { key: at, className: 'n-ink', style: words }, linked(one.trim(), hrefOf))),
      )
    case 'button':
      return h(
        Section,
        { key, style: { margin: '8px 0 24px' } },
        h(
          Button,
          {
            href: hrefOf(part.url),
            style: {
              padding: '14px 24px',
              borderRadius: '10px',
              background: brand,
              color: onColor(brand),
              fontSize: '16px',
              fontWeight: 600,
            },
          },
          part.label,
        ),
      )
    case 'offer':
      return h(
        Section,
        {
          key,
          className: 'n-offer',
          style: {
            margin: '8px 0 24px',
            padding: '18px 20px',
            border: `2px dashed ${brand}`,
            borderRadius: '12px',
            background: day.offer,
          },
        },
        h(
          Text,
          { className: 'n-ink', style: { ...words, margin: 0, fontSize: '20px', lineHeight: '26px', fontWeight: 700 } },
          part.title,
        ),
        part.note
          ? h(
              Text,
              {
                className: 'n-quiet',
                style: { margin: '6px 0 0', fontSize: '14px', lineHeight: '21px', color: day.quiet },
              },
              lines(part.note),
            )
          : null,
      )
    case 'picture':
      return h('img', {
        key,
        src: part.url,
        alt: part.alt,
        width: '520',
        style: {
          display: 'block',
          width: '100%',
          maxWidth: '520px',
          height: 'auto',
          margin: '8px 0 24px',
          borderRadius: '12px',
        },
      })
    default:
      return h(Hr, { key, className: 'n-line', style: { margin: '24px 0', borderColor: day.line } })
  }
}

const partText = (part: NewsPart): string => {
  switch (part.kind) {
    case 'button':
      return `${part.label}: ${part.url}`
    case 'offer':
      return [`* ${part.title} *`, part.note].filter(Boolean).join('\n')
    case 'picture':
      return `[${part.alt}]`
    case 'divider':
      return '----------'
    case 'heading':
      return part.text.toUpperCase()
    default:
      return part.text
  }
}

/**
 * A mail to many as it leaves: the same words as text and as HTML. Links of both lead over `tracking`, where there is one.
 * @param mode `dark`: as a dark mail program draws it, for who looks at it before it leaves
 */
export const writeNewsletter = (news: Newsletter, mode: 'asRead' | 'dark' = 'asRead'): WrittenLetter => {
  const { language, from, logoUrl, parts, footer, tracking } = news
  const brand = isColor(news.brandColor) ? news.brandColor : day.link
  const hrefOf = tracking?.hrefOf ?? ((url: string) => url)
  const small = { margin: '0 0 6px', fontSize: '13px', lineHeight: '20px', color: day.quiet }
  const html = renderToStaticMarkup(
    h(
      Html,
      { lang: language },
      h(
        Head,
        null,
        h('title', null, news.subject),
        h('meta', { name: 'viewport', content: 'width=device-width' }),
        h('meta', { name: 'color-scheme', content: 'light dark' }),
        h('meta', { name: 'supported-color-schemes', content: 'light dark' }),
        h('style', {
          // biome-ignore lint/security/noDangerouslySetInnerHtml: rules of our own, without a word of anybody's
          dangerouslySetInnerHTML: {
            __html: `:root{color-scheme:light dark}${mode === 'dark' ? nightRules : `@media (prefers-color-scheme:dark){${nightRules}}`}`,
          },
        }),
      ),
      h(
        Body,
        { className: 'n-paper', style: { margin: 0, background: day.paper, color: day.ink, fontFamily: font } },
        news.preheader ? h(Preview, null, news.preheader) : null,
        h(
          Container,
          {
            className: 'n-paper',
            style: { maxWidth: '560px', margin: '0 auto', padding: '32px 20px', background: day.paper },
          },
          h(Hr, {
            style: { margin: 0, border: 0, borderTop: 0, height: '6px', borderRadius: '3px', background: brand },
          }),
          logoUrl
            ? h('img', {
                src: logoUrl,
                alt: '',
                height: '56',
                style: { display: 'block', height: '56px', width: 'auto', maxWidth: '220px', margin: '24px 0 0' },
              })
            : null,
          h(
            'h1',
            {
              className: 'n-ink',
              style: { margin: '20px 0 20px', fontSize: '20px', lineHeight: '26px', fontWeight: 700, color: day.ink },
            },
            from,
          ),
          ...parts.map((part, key) => partHtml(part, key, brand, hrefOf)),
          h(Hr, { className: 'n-line', style: { margin: '32px 0 16px', borderColor: day.line } }),
          h(Text, { className: 'n-quiet', style: small }, lines(footer.sender.join('\n'))),
          h(Text, { className: 'n-quiet', style: small }, footer.why),
          h(
            Text,
            { className: 'n-quiet', style: small },
            footer.stopUrl
              ? h(
                  Link,
                  {
                    href: footer.stopUrl,
                    className: 'n-quiet',
                    style: { color: day.quiet, textDecoration: 'underline' },
                  },
                  footer.stop,
                )
              : footer.stop,
          ),
          tracking
            ? h('img', { src: tracking.pixelUrl, width: 1, height: 1, alt: '', style: { display: 'block', border: 0 } })
            : null,
        ),
      ),
    ),
  )
  const foot = ['--', ...footer.sender, footer.why, footer.stopUrl ? `${footer.stop}: ${footer.stopUrl}` : footer.stop]
  const plain = parts.map((part) =>
    part.kind === 'button' ? partText({ ...part, url: hrefOf(part.url) }) : partText(part),
  )
  return { text: `${[...plain, foot.join('\n')].join('\n\n')}\n`, html: `<!doctype html>${html}` }
}
