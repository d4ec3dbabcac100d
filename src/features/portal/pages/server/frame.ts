import { drawPage, h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { type Day, formatMinute, formatTime } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { isLight } from '../../../businesses/rules.ts'
import type { Door, Language, Session } from '../../server/queries.ts'
import { portalStyle } from './style.ts'
import { type PortalTexts, portalTexts } from './texts.ts'

export type Tab = keyof PortalTexts['tabs']

/** What a page is drawn with. */
export type View = {
  door: Door
  language: Language
  session: Session | null
  /** Something new waits there. */
  marks?: Partial<Record<Tab, boolean>>
  said?: string | undefined
  problem?: string | undefined
}

export const textsOf = ({ language }: Pick<View, 'language'>): PortalTexts => portalTexts[language]

/** An address inside the portal of a business. */
export const at = ({ slug }: Pick<Door, 'slug'>, path = ''): string => `${paths.portal(slug)}${path}`

const icons: Record<Tab, string> = {
  home: 'M4 11.5 12 4l8 7.5M6.5 10v9.5h11V10M10 19.5v-5h4v5',
  visits: 'M5 6.5h14v13H5zM5 10.5h14M8.5 4v4M15.5 4v4M9 15l2 2 4-4',
  bills: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9 8.5h6M9 12.5h6',
  messages: 'M4 5.5h16v11H10l-4.5 4v-4H4z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5',
}
const tabPaths: Record<Tab, string> = {
  home: '',
  visits: '/visits',
  bills: '/bills',
  messages: '/messages',
  account: '/account',
}

const icon = (path: string, size = 24): PagePart =>
  h(
    'svg',
    {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 1.9,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': true,
    },
    h('path', { d: path }),
  )

export const chevron = (): PagePart => h('span', { className: 'chev' }, icon('M9 5l7 7-7 7', 20))

const nav = (view: View, tab: Tab): PagePart => {
  const t = textsOf(view)
  const tabs = (Object.keys(t.tabs) as Tab[]).filter(
    (one) => one !== 'bills' || view.session?.person?.rights.money !== false || view.session.person.rights.quotes,
  )
  return h(
    'nav',
    { className: 'nav', 'aria-label': t.nav },
    h(
      'ul',
      null,
      tabs.map((one) =>
        h(
          'li',
          { key: one },
          h(
            'a',
            { href: at(view.door, tabPaths[one]), ...(one === tab ? { 'aria-current': 'page' } : {}) },
            icon(icons[one]),
            h('span', null, t.tabs[one]),
          ),
        ),
      ),
    ),
  )
}

/** English or Spanish: with a session it is kept, without one it stands in the address. */
const switcher = (view: View): PagePart => {
  const t = textsOf(view)
  const other = view.language === 'en' ? 'es' : 'en'
  return view.session
    ? h(
        'form',
        { method: 'post', action: at(view.door, '/language') },
        h('input', { type: 'hidden', name: 'language', value: other }),
        h('button', { type: 'submit', lang: other, 'aria-label': t.otherLabel }, t.other),
      )
    : h(
        'a',
        { className: 'lang', href: `?lang=${other}`, lang: other, 'aria-label': t.otherLabel, style: { flex: 'none' } },
        t.other,
      )
}

/** A page of the portal in the colors of its business. */
export const portalPage = (
  view: View,
  { title, tab, content }: { title: string; tab: Tab | null; content: PageContent },
): string => {
  const t = textsOf(view)
  const { door } = view
  const light = isLight(door.color)
  return drawPage({
    language: view.language,
    title: t.title(title, door.name),
    style: portalStyle,
    script: '/portal.js',
    content: h(
      'div',
      {
        style: {
          '--brand': door.color,
          '--on-brand': light ? '#2b1c00' : '#fff',
          '--strong': light ? '#14432f' : door.color,
        } as never,
      },
      h(
        'header',
        { className: 'top' },
        h(
          'div',
          null,
          door.logoUrl ? h('img', { src: door.logoUrl, alt: '' }) : null,
          h('a', { href: at(door) }, door.name),
          switcher(view),
        ),
      ),
      tab === null ? null : nav(view, tab),
      h(
        'main',
        { className: tab === null ? 'door' : undefined },
        view.said ? h('section', { className: 'said', role: 'status' }, h('p', null, view.said)) : null,
        view.problem ? h('section', { className: 'bad', role: 'alert' }, h('p', null, view.problem)) : null,
        content,
        contactPart(view),
      ),
    ),
  })
}

/** How the business is reached, and the way out. */
const contactPart = (view: View): PagePart | null => {
  const t = textsOf(view)
  const { door, session } = view
  const person = session?.person
  return h(
    'div',
    { className: 'foot' },
    door.phone || door.email ? h('b', { style: { marginRight: '12px' } }, t.questions) : null,
    door.phone ? h('a', { href: `tel:${door.phone}` }, formatPhone(door.phone)) : null,
    door.email ? h('a', { href: `mailto:${door.email}` }, door.email) : null,
    person ? h('p', null, t.signedInAs(person.name, person.contactId === null ? null : person.customerName)) : null,
    session
      ? h(
          'form',
          { method: 'post', action: at(door, '/out') },
          h('button', { type: 'submit', className: 'link' }, t.signOut),
        )
      : null,
  )
}

/** A form that changes something; `once` makes one that is sent twice do it once. */
export const form = (action: string, fields: Fields, ...content: PageContent[]): PagePart =>
  formAs({ action }, fields, content)

type Fields = Readonly<Record<string, string>>

const formAs = (
  more: { action: string; encType?: string },
  fields: Fields,
  content: readonly PageContent[],
): PagePart =>
  h(
    'form',
    { method: 'post', ...more },
    Object.entries(fields).map(([name, value]) => h('input', { key: name, type: 'hidden', name, value })),
    ...content,
  )

/** A form that may bring photos, too. */
export const photoForm = (action: string, fields: Fields, ...content: PageContent[]): PagePart =>
  formAs({ action, encType: 'multipart/form-data' }, fields, content)

export const submit = (label: string, kind = '', more: Record<string, string> = {}): PagePart =>
  h('button', { type: 'submit', className: kind, ...more }, label)

export const link = (label: string, href: string, kind = ''): PagePart =>
  h('a', { href, className: `button ${kind}`.trim() }, label)

type FieldOptions = {
  value?: string | null
  type?: string
  hint?: string
  error?: string | undefined
  autoComplete?: string
  lines?: number
  choices?: readonly { value: string; label: string }[]
  more?: Record<string, unknown>
}

/** A labelled field. */
export const field = (name: string, label: string, options: FieldOptions = {}): PagePart => {
  const { value, type = 'text', hint, error, autoComplete, lines, choices, more } = options
  const shared = {
    name,
    ...(type === 'file' ? {} : { defaultValue: value ?? '' }),
    ...(autoComplete ? { autoComplete } : {}),
    ...(error ? { 'aria-invalid': true, 'aria-describedby': `${name}-error` } : {}),
    ...more,
  }
  return h(
    'label',
    { className: 'field', key: name },
    label,
    hint ? h('small', null, hint) : null,
    choices
      ? h(
          'select',
          shared,
          choices.map((one) => h('option', { key: one.value, value: one.value }, one.label)),
        )
      : lines
        ? h('textarea', { rows: lines, ...shared })
        : h('input', { type, ...shared }),
    error ? h('em', { id: `${name}-error` }, error) : null,
  )
}

/** The day of a visit as a leaf of a calendar. */
export const dateLeaf = (view: View, day: Day | null): PagePart => {
  const of = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(view.language === 'es' ? 'es-US' : 'en-US', { ...options, timeZone: 'UTC' }).format(
      new Date(`${day}T00:00:00Z`),
    )
  return day === null
    ? h('div', { className: 'date', 'aria-hidden': true }, h('b', null, '–'), h('span', null, '?'))
    : h(
        'div',
        { className: 'date', 'aria-hidden': true },
        h('b', null, of({ weekday: 'short' })),
        h('span', null, String(Number(day.slice(8)))),
        h('small', null, of({ month: 'short' })),
      )
}

export const windowOf = (
  t: PortalTexts,
  {
    windowStartMinute: from,
    windowEndMinute: to,
  }: { windowStartMinute: number | null; windowEndMinute: number | null },
): string | null => (from === null || to === null ? null : t.between(formatMinute(from), formatMinute(to)))

/** "Fri, Jun 12, 8:00 AM". */
export const instantIn = (view: View, instant: string): string =>
  `${new Intl.DateTimeFormat(view.language === 'es' ? 'es-US' : 'en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    timeZone: view.door.timeZone,
  }).format(new Date(instant))}, ${formatTime(instant, view.door.timeZone)}`

export const heading = (title: string, lead: string | null = null): PageContent => [
  h('h1', { key: 'title' }, title),
  lead ? h('p', { key: 'lead', className: 'lead' }, lead) : h('p', { key: 'lead', style: { margin: '0 0 14px' } }),
]
