import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { drawnOver } from '../../../../platform/http/strokes.ts'
import { addDays, type Day, formatTime } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { skipReasonLabel } from '../../../businesses/reasons/rules.ts'
import { dayIn, depositWaits } from '../../../invoices/words/rules.ts'
import { windowWords } from '../../../notices/rules.ts'
import type { VisitStatus } from '../../../visits/rules.ts'
import type { Bills, ListedQuote } from '../../bills/server/queries.ts'
import type { ListedVisit, PortalVisit } from '../../visits/server/queries.ts'
import {
  at,
  chevron,
  dateLeaf,
  form,
  heading,
  instantIn,
  link,
  portalPage,
  submit,
  textsOf,
  type View,
  windowOf,
} from './frame.ts'

const live: readonly VisitStatus[] = ['en_route', 'in_progress', 'paused']

const dayWords = (view: View, day: Day | null, today: Day): string => {
  const t = textsOf(view)
  if (day === null) return t.states.unscheduled
  if (day === today) return `${t.today}, ${dayIn(view.language, day)}`
  return day === addDays(today, 1)
    ? `${t.tomorrow}, ${dayIn(view.language, day)}`
    : dayIn(view.language, day, { year: day.slice(0, 4) !== today.slice(0, 4) })
}

const pill = (view: View, status: VisitStatus): PagePart | null =>
  status === 'scheduled'
    ? null
    : h(
        'span',
        {
          className: `pill${['skipped', 'missed', 'canceled'].includes(status) ? ' off' : status === 'paused' ? ' wait' : ''}`,
        },
        textsOf(view).states[status],
      )

const strip = (view: View, visit: ListedVisit): PagePart | null =>
  visit.photos.length === 0
    ? null
    : h(
        'ul',
        { className: 'photos' },
        visit.photos.map((url, at) =>
          h('li', { key: url }, h('img', { src: url, alt: `${textsOf(view).photos} ${at + 1}`, loading: 'lazy' })),
        ),
      )

const note = (view: View, text: string): PagePart | null =>
  text ? h('blockquote', null, h('b', null, textsOf(view).fromCrew), text) : null

const visitRow = (view: View, visit: ListedVisit, today: Day): PagePart => {
  const t = textsOf(view)
  const window = visit.status === 'scheduled' ? windowOf(t, visit) : null
  return h(
    'li',
    { key: visit.id, style: { display: 'block' } },
    h(
      'a',
      { className: 'go', href: at(view.door, `/visits/${visit.id}`) },
      dateLeaf(view, visit.day),
      h(
        'span',
        null,
        pill(view, visit.status),
        h('b', { style: { display: 'block' } }, visit.services || t.work),
        h('small', null, [dayWords(view, visit.day, today), window].filter(Boolean).join(' · ')),
        h('small', null, visit.street),
      ),
      chevron(),
    ),
    note(view, visit.note),
    strip(view, visit),
  )
}

type HomeFacts = {
  today: Day
  next: PortalVisit | null
  ahead: readonly ListedVisit[]
  last: ListedVisit | null
  bills: Bills | null
  quotes: readonly ListedQuote[]
  /** The page that follows the crew, while it is on its way. */
  livePath: string | null
}

const expected = (view: View, visit: PortalVisit): string => {
  const t = textsOf(view)
  const { shown, row } = visit
  if (shown.window) return t.expect(windowWords(shown.window, view.language))
  return windowOf(t, row) ?? t.noTime
}

const nextPart = (view: View, { next, today, livePath }: HomeFacts): PagePart => {
  const t = textsOf(view)
  if (!next)
    return h(
      'section',
      { key: 'next', className: 'next' },
      h('h2', null, t.noNext),
      h('p', { className: 'quiet' }, t.noNextText),
    )
  const { shown } = next
  const isLive = live.includes(shown.status)
  return h(
    'section',
    { key: 'next', className: 'next', 'aria-labelledby': 'next' },
    h(
      'div',
      { className: 'when' },
      dateLeaf(view, shown.day),
      h(
        'div',
        { style: { minWidth: 0 } },
        isLive ? pill(view, shown.status) : h('span', { className: 'pill' }, t.next),
        h('h2', { id: 'next' }, dayWords(view, shown.day, today)),
        h('p', null, isLive ? (shown.before === null ? '' : t.before(shown.before)) : expected(view, next)),
        h('p', { className: 'quiet' }, [shown.services, shown.street].filter(Boolean).join(' · ')),
      ),
    ),
    h(
      'div',
      { className: 'acts' },
      livePath ? link(t.states[shown.status], livePath) : null,
      link(t.details, at(view.door, `/visits/${shown.id}`), 'second'),
      next.skip === 'yes' && view.session?.person?.rights.change
        ? link(t.skipThis, at(view.door, `/visits/${shown.id}#skip`), 'second')
        : null,
    ),
  )
}

const owedPart = (view: View, bills: Bills): PagePart => {
  const t = textsOf(view)
  const overdue = bills.invoices.filter((one) => one.overdue).reduce((sum, one) => sum + one.openCents, 0)
  return h(
    'section',
    { key: 'owed', 'aria-labelledby': 'owed' },
    h('h2', { id: 'owed', style: { margin: 0 } }, t.owe),
    bills.owedCents > 0
      ? h('p', { className: 'owed' }, formatCents(bills.owedCents))
      : h('p', { style: { fontWeight: 620, margin: '6px 0' } }, t.nothingOwed),
    overdue > 0 ? h('p', { className: 'late' }, t.overdue(formatCents(overdue))) : null,
    bills.creditCents > 0
      ? h('p', { className: 'quiet' }, t.credit(formatCents(bills.creditCents), bills.usesCredit))
      : null,
    bills.boundCredit.map((one) =>
      h('p', { key: one.paymentId, className: 'quiet' }, depositWaits(bills.language, one)),
    ),
    bills.owedCents > 0 && bills.method?.autopay
      ? h('p', { className: 'quiet small' }, t.autopayOn(bills.method.label))
      : null,
    h(
      'div',
      { className: 'acts' },
      bills.payCents > 0 && bills.takesCards ? form(at(view.door, '/bills/statement'), {}, submit(t.payNow)) : null,
      link(t.seeBills, at(view.door, '/bills'), 'second'),
    ),
  )
}

export const homeHtml = (view: View, facts: HomeFacts): string => {
  const t = textsOf(view)
  const { door, session } = view
  const { bills, quotes, ahead, last, today } = facts
  const rest = ahead.filter(({ id, status }) => id !== facts.next?.shown.id && status !== 'skipped').slice(0, 3)
  return portalPage(view, {
    title: t.tabs.home,
    tab: 'home',
    content: [
      ...(heading(t.hello(firstNameOf(session?.person?.name ?? '')), t.helloLead(door.name)) as PagePart[]),
      bills && !bills.livemode && bills.takesCards ? h('p', { key: 'test', className: 'test' }, t.test) : null,
      h(
        'div',
        { key: 'grid', className: 'grid two-up' },
        h(
          'div',
          { className: 'stack' },
          nextPart(view, facts),
          rest.length > 0
            ? h(
                'section',
                { key: 'rest', 'aria-labelledby': 'rest' },
                h(
                  'div',
                  { className: 'head' },
                  h('h2', { id: 'rest' }, t.later),
                  h('a', { href: at(door, '/visits') }, t.allVisits),
                ),
                h(
                  'ul',
                  { className: 'rows' },
                  rest.map((visit) => visitRow(view, visit, today)),
                ),
              )
            : null,
          last
            ? h(
                'section',
                { key: 'last', 'aria-labelledby': 'last' },
                h(
                  'div',
                  { className: 'head' },
                  h('h2', { id: 'last' }, t.last),
                  h('a', { href: at(door, '/visits#past') }, t.past),
                ),
                h('ul', { className: 'rows' }, visitRow(view, last, today)),
              )
            : null,
        ),
        h(
          'div',
          { className: 'stack' },
          quotes.length > 0
            ? h(
                'section',
                { key: 'quotes', className: 'next' },
                h('h2', null, t.quotesWait(quotes.length)),
                h(
                  'ul',
                  { className: 'rows' },
                  quotes
                    .slice(0, 3)
                    .map((quote) =>
                      h(
                        'li',
                        { key: quote.id },
                        h(
                          'a',
                          { className: 'go', href: quote.path },
                          h('span', null, h('b', null, quote.title), h('small', null, quote.street)),
                          chevron(),
                        ),
                      ),
                    ),
                ),
              )
            : null,
          bills ? owedPart(view, bills) : null,
          h(
            'section',
            { key: 'more' },
            h('h2', null, t.more),
            h('p', { className: 'quiet' }, t.moreText),
            h(
              'div',
              { className: 'acts' },
              session?.person?.rights.change ? link(t.moreButton, at(door, '/service'), 'second') : null,
              link(t.write, at(door, '/messages'), 'second'),
            ),
          ),
        ),
      ),
    ],
  })
}

export const visitsHtml = (
  view: View,
  facts: {
    today: Day
    ahead: readonly ListedVisit[]
    past: { items: readonly ListedVisit[]; nextCursor: string | null }
    isFirst: boolean
  },
): string => {
  const t = textsOf(view)
  const { ahead, past, today, isFirst } = facts
  return portalPage(view, {
    title: t.visitsTitle,
    tab: 'visits',
    content: [
      ...(heading(t.visitsTitle) as PagePart[]),
      isFirst
        ? h(
            'section',
            { key: 'ahead', 'aria-labelledby': 'ahead' },
            h('h2', { id: 'ahead' }, t.ahead),
            ahead.length === 0
              ? h('p', { className: 'quiet' }, t.noAhead)
              : h(
                  'ul',
                  { className: 'rows' },
                  ahead.map((visit) => visitRow(view, visit, today)),
                ),
          )
        : null,
      h(
        'section',
        { key: 'past', id: 'past', 'aria-labelledby': 'past-title' },
        h('h2', { id: 'past-title' }, t.past),
        past.items.length === 0
          ? h('p', { className: 'quiet' }, t.noPast)
          : h(
              'ul',
              { className: 'rows' },
              past.items.map((visit) => visitRow(view, visit, today)),
            ),
        h(
          'div',
          { className: 'acts' },
          isFirst ? null : link(t.newest, at(view.door, '/visits'), 'second'),
          past.nextCursor
            ? link(t.older, at(view.door, `/visits?cursor=${encodeURIComponent(past.nextCursor)}#past`), 'second')
            : null,
        ),
      ),
    ],
  })
}

const fact = (label: string, value: PageContent): PagePart | null =>
  value ? h('div', { key: label }, h('dt', null, label), h('dd', null, value)) : null

const skipPart = (view: View, visit: PortalVisit): PageContent => {
  const t = textsOf(view)
  const { row, shown, skip, chargeCents, until } = visit
  const { door, session } = view
  if (!session?.person?.rights.change) return null
  const base = at(door, `/visits/${shown.id}`)
  const writeAbout = link(t.write, at(door, `/messages?re=${shown.id}`), 'second')
  if (row.status === 'skipped')
    return h(
      'section',
      { key: 'skip', id: 'skip' },
      visit.unskip
        ? [
            h('p', { key: 'text' }, t.skipped),
            h('div', { key: 'form', className: 'acts' }, form(`${base}/unskip`, {}, submit(t.unskip, 'second'))),
            until ? h('p', { key: 'hint', className: 'hint' }, t.unskipHint(instantIn(view, until))) : null,
          ]
        : h('div', { className: 'acts', style: { margin: 0 } }, writeAbout),
    )
  if (skip === 'over') return null
  if (skip !== 'yes')
    return h(
      'section',
      { key: 'skip', id: 'skip' },
      h('p', null, skip === 'late' ? t.skipLate(door.rules.skipHours) : t.skipOff),
      h('div', { className: 'acts' }, writeAbout),
    )
  return h(
    'section',
    { key: 'skip', id: 'skip', 'aria-labelledby': 'skip-title' },
    h('h2', { id: 'skip-title' }, t.skipTitle),
    h(
      'p',
      chargeCents ? { className: 'late' } : null,
      chargeCents ? t.skipCosts(formatCents(chargeCents)) : t.skipFree,
    ),
    h('p', { className: 'quiet' }, [until ? t.skipUntil(instantIn(view, until)) : '', t.skipAfter].join(' ')),
    h('div', { className: 'acts' }, form(`${base}/skip`, { day: row.day ?? '' }, submit(t.skipButton, 'danger'))),
  )
}

/** One visit with everything its customer may see. */
export const visitHtml = (view: View, visit: PortalVisit, today: Day): string => {
  const t = textsOf(view)
  const { shown, row } = visit
  const planned = row.status === 'scheduled'
  const reason =
    row.status === 'skipped' &&
    shown.skipReason !== view.door.rules.skipReason &&
    view.language === 'en' &&
    shown.skipReason
      ? skipReasonLabel(shown.skipReason)
      : null
  return portalPage(view, {
    title: shown.services || t.visitsTitle,
    tab: 'visits',
    content: [
      h('a', { key: 'back', className: 'back', href: at(view.door, '/visits') }, `‹ ${t.backToVisits}`),
      h(
        'section',
        { key: 'visit', className: 'next' },
        h(
          'div',
          { className: 'when' },
          dateLeaf(view, shown.day),
          h(
            'div',
            { style: { minWidth: 0 } },
            pill(view, row.status),
            h('h1', { style: { fontSize: '24px' } }, dayWords(view, shown.day, today)),
            h('p', null, planned ? expected(view, visit) : (reason ?? '')),
          ),
        ),
        note(view, shown.note),
        h(
          'dl',
          null,
          fact(t.work, shown.services),
          fact(t.where, shown.street),
          fact(t.crew, shown.crew),
          row.status === 'completed' && shown.finishedAt
            ? fact(t.done, formatTime(shown.finishedAt, view.door.timeZone))
            : null,
          shown.treated?.keepOffUntil ? fact(t.keepOff, instantIn(view, shown.treated.keepOffUntil)) : null,
          shown.treated
            ? fact(
                t.applied,
                shown.treated.products.map(({ name, labelUrl }) =>
                  h(
                    'span',
                    { key: name, style: { display: 'block' } },
                    name,
                    labelUrl
                      ? [' ', h('a', { key: 'label', href: labelUrl, rel: 'noopener noreferrer' }, t.label)]
                      : null,
                  ),
                ),
              )
            : null,
          shown.checked.length > 0
            ? fact(
                t.checked,
                shown.checked.map((text) => h('span', { key: text, style: { display: 'block' } }, `✓ ${text}`)),
              )
            : null,
        ),
      ),
      shown.photos.length > 0
        ? h(
            'section',
            { key: 'photos' },
            h('h2', null, t.photos),
            h(
              'ul',
              { className: 'photos big' },
              shown.photos.map((photo) =>
                h(
                  'li',
                  { key: photo.url },
                  h(
                    'a',
                    { className: 'fig', href: photo.url },
                    h('img', { src: photo.url, alt: t.photo(photo.kind), loading: 'lazy' }),
                    drawnOver(photo),
                  ),
                  h('small', { 'aria-hidden': true }, t.photo(photo.kind)),
                ),
              ),
            ),
          )
        : null,
      skipPart(view, visit),
    ],
  })
}

/** A visit that is not theirs, or none. */
export const noVisitHtml = (view: View): string => {
  const t = textsOf(view)
  return portalPage(view, {
    title: t.noVisit,
    tab: 'visits',
    content: [
      h('h1', { key: 'title' }, t.noVisit),
      h(
        'section',
        { key: 'text' },
        h('p', null, t.noVisitText),
        h('div', { className: 'acts' }, link(t.allVisits, at(view.door, '/visits'))),
      ),
    ],
  })
}
