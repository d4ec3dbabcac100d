import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Column } from '@react-email/column'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Hr } from '@react-email/hr'
import { Html } from '@react-email/html'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Row } from '@react-email/row'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { Fragment, createElement as h, type ReactElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** One line of a table: what it is, small words under it, and its sum. */
export type LetterRow = { label: string; note?: string; value: string; strong?: boolean }

export type LetterPart =
  | { kind: 'paragraph'; text: string }
  | { kind: 'small'; text: string }
  | { kind: 'heading'; text: string }
  /** One of a list of news: what it is, small words under it, and where it opens. */
  | { kind: 'item'; label: string; note: string; url: string | null }
  | { kind: 'rows'; rows: readonly LetterRow[] }
  | { kind: 'button'; label: string; url: string }
  /** In small letters, below who writes. */
  | { kind: 'link'; label: string; url: string }

export const paragraph = (text: string): LetterPart => ({ kind: 'paragraph', text })
export const small = (text: string): LetterPart => ({ kind: 'small', text })
export const heading = (text: string): LetterPart => ({ kind: 'heading', text })
export const item = (label: string, note: string, url: string | null): LetterPart => ({
  kind: 'item',
  label,
  note,
  url,
})
export const rows = (...list: readonly LetterRow[]): LetterPart => ({ kind: 'rows', rows: list })
export const button = (label: string, url: string): LetterPart => ({ kind: 'button', label, url })

export const link = (label: string, url: string): LetterPart => ({ kind: 'link', label, url })

export type Letter = {
  language?: 'en' | 'es'
  /** Who writes: stands above the letter. */
  from: string
  /** #rrggbb */
  brandColor?: string
  /** What the letter is about, under the name: the number of an invoice. */
  title?: string
  /** In the order in which they are read, the greeting first; what follows it a list of mails shows beside the subject. */
  parts: readonly LetterPart[]
}

export type WrittenLetter = { text: string; html: string }

const ink = '#16211a'
const quiet = '#4d5a51'
const line = '#e2ddd0'
const green = '#14432f'
const font = "'Hanken Grotesk','Segoe UI',Roboto,Arial,sans-serif"
const body = { margin: '0 0 16px', fontSize: '16px', lineHeight: '24px', color: ink }

const lines = (text: string): ReactNode[] =>
  text.split('\n').flatMap((one, index) => (index === 0 ? [one] : [h('br', { key: index }), one]))

const partHtml = (part: LetterPart): ReactElement => {
  if (part.kind === 'paragraph') return h(Text, { style: body }, lines(part.text))
  if (part.kind === 'small')
    return h(Text, { style: { ...body, fontSize: '14px', lineHeight: '21px', color: quiet } }, lines(part.text))
  if (part.kind === 'heading')
    return h(Text, { style: { ...body, margin: '28px 0 8px', fontSize: '18px', fontWeight: 700 } }, part.text)
  if (part.kind === 'item')
    return h(
      Text,
      { style: { ...body, margin: 0, padding: '10px 0', borderTop: `1px solid ${line}`, lineHeight: '22px' } },
      part.url
        ? h(Link, { href: part.url, style: { color: green, fontWeight: 600, textDecoration: 'underline' } }, part.label)
        : h('strong', { style: { fontWeight: 600 } }, part.label),
      h('br'),
      h('span', { style: { color: quiet, fontSize: '14px' } }, part.note),
    )
  if (part.kind === 'link')
    return h(
      Text,
      { style: { ...body, fontSize: '14px', lineHeight: '21px' } },
      h(Link, { href: part.url, style: { color: green, textDecoration: 'underline' } }, part.label),
    )
  if (part.kind === 'button')
    return h(
      Button,
      {
        href: part.url,
        style: {
          margin: '8px 0 24px',
          padding: '14px 22px',
          borderRadius: '10px',
          background: green,
          color: '#ffffff',
          fontSize: '16px',
          fontWeight: 600,
        },
      },
      part.label,
    )
  return h(
    Section,
    { style: { margin: '0 0 20px' } },
    part.rows.map(({ label, note, value, strong }, index) => {
      const cell = { padding: '8px 0', borderTop: `1px solid ${line}`, fontSize: '15px', verticalAlign: 'top' as const }
      const weight = strong ? 700 : 400
      const said = h(
        Column,
        { style: { ...cell, fontWeight: weight } },
        label,
        note ? h('div', { style: { color: quiet, fontSize: '13px' } }, note) : null,
      )
      const sum = h(
        Column,
        { align: 'right', style: { ...cell, fontWeight: weight, whiteSpace: 'nowrap', paddingLeft: '16px' } },
        value,
      )
      return h(Fragment, { key: index }, h(Row, null, said, sum))
    }),
  )
}

const partText = (part: LetterPart): string => {
  if (part.kind === 'button' || part.kind === 'link') return `${part.label}: ${part.url}`
  if (part.kind === 'item')
    return [`- ${part.label}`, `  ${part.note}`, ...(part.url ? [`  ${part.url}`] : [])].join('\n')
  if (part.kind === 'rows')
    return part.rows.map(({ label, note, value }) => `${label}${note ? ` (${note})` : ''}: ${value}`).join('\n')
  return part.text
}

const page = (language: 'en' | 'es', preview: string | null, children: ReactNode[]): string =>
  `<!doctype html>${renderToStaticMarkup(
    h(
      Html,
      { lang: language },
      h(Head, null, h('meta', { name: 'color-scheme', content: 'light' })),
      h(
        Body,
        { style: { margin: 0, background: '#faf8f3', color: ink, fontFamily: font } },
        preview ? h(Preview, null, preview) : null,
        h(Container, { style: { maxWidth: '560px', margin: '0 auto', padding: '32px 20px' } }, ...children),
      ),
    ),
  )}`

/**
 * A letter as the mail that leaves: the same words as text and as HTML that mail programs draw alike. Everything is escaped; whoever writes gives
 * words, never markup.
 */
export const writeLetter = ({ language = 'en', from, brandColor = green, title, parts }: Letter): WrittenLetter => {
  const preview = parts[1] ?? parts[0]
  return {
    text: `${[...parts.map(partText), ...(['small', 'link'].includes(parts.at(-1)?.kind ?? '') ? [] : [from])].join('\n\n')}\n`,
    html: page(language, preview ? partText(preview) : null, [
      h(Hr, { style: { margin: 0, border: 0, height: '6px', borderRadius: '3px', background: brandColor } }),
      h(
        Text,
        { style: { margin: '24px 0 4px', fontSize: '22px', lineHeight: '28px', fontWeight: 700, color: ink } },
        from,
      ),
      title ? h(Text, { style: { ...body, color: quiet } }, title) : h('div', { style: { height: '12px' } }),
      ...parts.map(partHtml),
    ]),
  }
}

/** Splits a text at its web addresses: every second piece is one. */
export const webAddress = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/

/** The web addresses in a text, each once, in order. */
export const linksOf = (text: string): string[] => [
  ...new Set(text.split(webAddress).filter((_, index) => index % 2 === 1)),
]

/** How a mail tells that it was read: where each of its links goes on the way, and its invisible picture. */
export type Tracking = { hrefOf: (url: string) => string; pixelUrl: string }

/** What stands under a mail to somebody who never asked for it: who writes, from where, and how to end it. */
export type Footer = { fromName: string; postalAddress: string; unsubscribeUrl: string }

/** A plain text as somebody typed it, with links that work, the footer that the law asks for and what tells that it was read. */
export const writeNote = (text: string, footer: Footer | null, tracking: Tracking | null = null): WrittenLetter => {
  const hrefOf = tracking?.hrefOf ?? ((url: string) => url)
  const sender = footer ? [footer.fromName, footer.postalAddress.trim()].filter(Boolean).join(', ') : ''
  const linked = (words: string): ReactNode[] =>
    words
      .split(webAddress)
      .flatMap((part, index): ReactNode[] =>
        index % 2 === 1
          ? [
              h(
                Link,
                { key: `${index}`, href: hrefOf(part), style: { color: green, textDecoration: 'underline' } },
                part,
              ),
            ]
          : lines(part).map((one, at) => h(Fragment, { key: `${index} ${at}` }, one)),
      )
  const paragraphs = text.split(/\n{2,}/).map((part) => h(Text, { style: { ...body } }, linked(part.trim())))
  const gray = { fontSize: '13px', lineHeight: '20px', color: quiet }
  return {
    text: footer ? `${text}\n\n-- \n${sender}\nUnsubscribe: ${footer.unsubscribeUrl}\n` : text,
    html: page('en', null, [
      ...paragraphs,
      footer ? h(Hr, { style: { margin: '32px 0 16px', borderColor: line } }) : null,
      footer
        ? h(
            Text,
            { style: { ...gray, margin: 0 } },
            sender.replaceAll('\n', ', '),
            h('br'),
            h(Link, { href: footer.unsubscribeUrl, style: { ...gray, textDecoration: 'underline' } }, 'Unsubscribe'),
          )
        : null,
      tracking
        ? h('img', { src: tracking.pixelUrl, width: 1, height: 1, alt: '', style: { display: 'block', border: 0 } })
        : null,
    ]),
  }
}
