import { h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { type Day, dayOf, formatTime } from '../../../../shared/dates.ts'
import { formatCents } from '../../../../shared/money.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { type ContactKind, contactKinds } from '../../../customers/contacts/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import type { AccountForm, AccountProblem } from '../../account/server/form.ts'
import type { AccountPage } from '../../account/server/queries.ts'
import { mostMessagePhotos, pauseSpan } from '../../rules.ts'
import type { ListedRequest, OfferedService, PortalJob } from '../../services/server/queries.ts'
import type { ThreadMessage } from '../../thread/server/queries.ts'
import { at, field, form, heading, link, photoForm, portalPage, submit, textsOf, type View } from './frame.ts'

const jobPart = (view: View, job: PortalJob, today: Day, once: () => string): PagePart => {
  const t = textsOf(view)
  const { door } = view
  const span = pauseSpan(today, door.rules.pauseDays)
  const nextDay = job.next?.day ?? null
  return h(
    'li',
    { key: job.id, style: { display: 'block' } },
    job.status === 'paused'
      ? h('span', { className: 'pill wait' }, t.pausedUntil(job.pausedUntil && dayIn(view.language, job.pausedUntil)))
      : null,
    h('b', { style: { display: 'block' } }, job.title),
    h(
      'small',
      null,
      [job.street, nextDay ? t.nextOn(dayIn(view.language, nextDay)) : null].filter(Boolean).join(' · '),
    ),
    job.pause === 'yes'
      ? h(
          'details',
          null,
          h('summary', null, t.pauseNamed(job.title)),
          form(
            at(door, `/service/${job.id}/pause`),
            { once: once() },
            h('p', { className: 'quiet', style: { margin: '0 0 10px' } }, t.pauseText(door.rules.pauseDays)),
            field('until', t.pauseUntil, {
              type: 'date',
              value: span.first,
              more: { min: span.first, max: span.last, required: true },
            }),
            submit(t.pauseButton, 'second'),
          ),
        )
      : job.pause === 'near' && door.rules.pauseAllowed && nextDay
        ? h(
            'div',
            null,
            h('p', { className: 'quiet small' }, t.pauseNear(dayIn(view.language, nextDay))),
            h('div', { className: 'acts' }, link(t.askPause, at(door, `/messages?pause=${job.id}`), 'second')),
          )
        : null,
    job.ownPause
      ? h('div', { className: 'acts' }, form(at(door, `/service/${job.id}/resume`), {}, submit(t.resume, 'second')))
      : null,
  )
}

const offerPart = (view: View, service: OfferedService, once: () => string): PagePart => {
  const t = textsOf(view)
  const [first] = service.prices
  const one = service.prices.length === 1 ? first : null
  return h(
    'li',
    { key: service.id, style: { display: 'block' } },
    h('b', { style: { display: 'block' } }, service.name),
    service.description ? h('small', null, service.description) : null,
    one ? h('p', null, one.cents === null ? t.priceOnAsk : t.forPrice(formatCents(one.cents))) : null,
    h(
      'details',
      null,
      h('summary', null, t.askNamed(service.name)),
      form(
        at(view.door, `/service/${service.id}/ask`),
        { once: once(), ...(one ? { propertyId: one.propertyId } : {}) },
        one
          ? null
          : field('propertyId', t.place, {
              choices: service.prices.map(({ propertyId, street, cents }) => ({
                value: propertyId,
                label: cents === null ? street : `${street} · ${formatCents(cents)}`,
              })),
            }),
        field('words', `${t.words} (${t.optional})`, { lines: 3, more: { maxLength: 1000 } }),
        submit(t.ask),
      ),
    ),
  )
}

const requestsPart = (view: View, requests: readonly ListedRequest[]): PageContent => {
  const t = textsOf(view)
  return requests.length === 0
    ? null
    : h(
        'section',
        { key: 'asked', 'aria-labelledby': 'asked' },
        h('h2', { id: 'asked' }, t.asked),
        h(
          'ul',
          { className: 'rows' },
          requests.map((one) =>
            h(
              'li',
              { key: one.id, style: { display: 'block' } },
              h(
                'span',
                { className: `pill${one.status === 'open' ? ' wait' : one.status === 'done' ? '' : ' off'}` },
                t.requestStates[one.status],
              ),
              h('b', { style: { display: 'block' } }, one.title),
              h('small', null, dayIn(view.language, dayOf(one.createdAt, view.door.timeZone), { year: true })),
              one.answer ? h('blockquote', null, h('b', null, view.door.name), one.answer) : null,
            ),
          ),
        ),
      )
}

export const serviceHtml = (
  view: View,
  facts: {
    today: Day
    jobs: readonly PortalJob[]
    offered: readonly OfferedService[]
    requests: readonly ListedRequest[]
    once: () => string
  },
): string => {
  const t = textsOf(view)
  const { today, jobs, offered, requests, once } = facts
  return portalPage(view, {
    title: t.serviceTitle,
    tab: 'home',
    content: [
      h('a', { key: 'back', className: 'back', href: at(view.door) }, `‹ ${t.tabs.home}`),
      ...(heading(
        t.serviceTitle,
        offered.length > 0 || jobs.some(({ pause }) => pause === 'yes') ? t.serviceLead : t.serviceLeadPlain,
      ) as PagePart[]),
      h(
        'section',
        { key: 'jobs', 'aria-labelledby': 'jobs' },
        h('h2', { id: 'jobs' }, t.running),
        jobs.length === 0
          ? h('p', { className: 'quiet' }, t.noJobs)
          : h(
              'ul',
              { className: 'rows' },
              jobs.map((job) => jobPart(view, job, today, once)),
            ),
      ),
      offered.length > 0
        ? h(
            'section',
            { key: 'offered', 'aria-labelledby': 'offered' },
            h('h2', { id: 'offered' }, t.add),
            h('p', { className: 'quiet', style: { margin: '0 0 10px' } }, t.addText),
            h(
              'ul',
              { className: 'rows' },
              offered.map((service) => offerPart(view, service, once)),
            ),
          )
        : null,
      requestsPart(view, requests),
      h(
        'div',
        { key: 'write', className: 'acts', style: { margin: '0 0 16px' } },
        link(t.write, at(view.door, '/messages'), 'second'),
      ),
    ],
  })
}

export const messagesHtml = (
  view: View,
  facts: {
    thread: { items: readonly ThreadMessage[]; nextCursor: string | null }
    isFirst: boolean
    once: string
    typed: string
    wrong?: string | undefined
    wrongPhotos?: string | undefined
  },
): string => {
  const t = textsOf(view)
  const { thread, isFirst, once, typed, wrong, wrongPhotos } = facts
  const when = (at: string) =>
    `${dayIn(view.language, dayOf(at, view.door.timeZone))}, ${formatTime(at, view.door.timeZone)}`
  return portalPage(view, {
    title: t.messagesTitle,
    tab: 'messages',
    content: [
      ...(heading(t.messagesTitle, t.messagesLead(view.door.name)) as PagePart[]),
      thread.nextCursor
        ? h(
            'p',
            { key: 'older', className: 'center' },
            h(
              'a',
              { href: at(view.door, `/messages?cursor=${encodeURIComponent(thread.nextCursor)}`) },
              t.olderMessages,
            ),
          )
        : null,
      thread.items.length === 0
        ? h('section', { key: 'none' }, h('p', { className: 'quiet' }, t.noMessages))
        : h(
            'ol',
            { key: 'thread', className: 'talk', 'aria-label': t.messagesTitle },
            thread.items.toReversed().map((one) =>
              h(
                'li',
                { key: one.id, className: one.direction === 'inbound' ? 'mine' : undefined },
                h('p', null, one.text),
                one.photos.length > 0
                  ? h(
                      'ul',
                      { className: 'photos' },
                      one.photos.map(({ url, smallUrl }, index) =>
                        h(
                          'li',
                          { key: url },
                          h(
                            'a',
                            { href: url },
                            h('img', { src: smallUrl, alt: t.ownPhoto(index + 1), loading: 'lazy' }),
                          ),
                        ),
                      ),
                    )
                  : null,
                h('small', null, `${one.direction === 'inbound' ? t.you : view.door.name} · ${when(one.createdAt)}`),
              ),
            ),
          ),
      isFirst
        ? h(
            'section',
            { key: 'write', id: 'write', style: { marginTop: '16px' } },
            photoForm(
              at(view.door, '/messages'),
              { once },
              field('text', t.message, {
                value: typed,
                lines: 4,
                error: wrong,
                more: { required: true, maxLength: 4000 },
              }),
              field('photos', `${t.addPhotos} (${t.optional})`, {
                type: 'file',
                hint: t.addPhotosHint(mostMessagePhotos),
                error: wrongPhotos,
                // what is named here a phone makes of its own kind of photo by itself
                more: { multiple: true, accept: 'image/jpeg,image/png,image/webp', 'data-photos': mostMessagePhotos },
              }),
              submit(t.send),
            ),
          )
        : h(
            'p',
            { key: 'newest', className: 'center' },
            h('a', { href: at(view.door, '/messages') }, t.newestMessages),
          ),
    ],
  })
}

export const accountHtml = (
  view: View,
  facts: {
    account: AccountPage
    requests: readonly ListedRequest[]
    typed?: AccountForm | undefined
    problems?: readonly AccountProblem[]
    once: () => string
    /** Other records of the same address. */
    others: number
  },
): string => {
  const t = textsOf(view)
  const { account, requests, typed, problems = [], once, others } = facts
  const person = view.session?.person
  const isContact = person?.contactId !== null
  const gets = typed?.gets ?? account.gets
  const errorOf = (...kinds: AccountProblem[]) => {
    const found = kinds.find((kind) => problems.includes(kind))
    return found && t.problems[found]
  }
  // a contact ends what they get; what they never got is not offered
  // a yes to offers is one to an e-mail
  const mayGet = (kind: ContactKind) => kind !== 'marketing' || account.email !== null
  const kinds = contactKinds.filter((kind) => account.gets.includes(kind) || (!isContact && mayGet(kind)))
  const billing = typed ?? account.billing
  return portalPage(view, {
    title: t.accountTitle,
    tab: 'account',
    content: [
      ...(heading(t.accountTitle, t.accountLead) as PagePart[]),
      h(
        'section',
        { key: 'form', className: 'short' },
        form(
          at(view.door, '/account'),
          { version: String(account.version) },
          field('name', t.name, {
            value: typed?.name ?? account.name,
            autoComplete: 'name',
            error: errorOf('name'),
            more: { required: true, maxLength: 120 },
          }),
          field('email', t.email, {
            value: typed?.email ?? account.email,
            type: 'email',
            autoComplete: 'email',
            error: errorOf('email', 'reach'),
          }),
          field('phone', t.phone, {
            value: typed?.phone ?? (account.phone ? formatPhone(account.phone) : ''),
            type: 'tel',
            autoComplete: 'tel',
            error: errorOf('phone'),
            ...(account.noTexts ? { hint: t.stopped } : {}),
          }),
          isContact
            ? null
            : [
                field('language', t.languageField, {
                  value: typed?.language ?? account.language,
                  choices: (['en', 'es'] as const).map((value) => ({ value, label: t.languages[value] })),
                }),
                field('way', t.wayField, {
                  value: typed?.way ?? account.paperWay ?? '',
                  choices: [
                    ...(account.paperWay === null ? [{ value: '', label: t.ways.asItIs }] : []),
                    ...(['email', 'text', 'both'] as const).map((value) => ({ value, label: t.ways[value] })),
                  ],
                }),
              ],
          kinds.length > 0
            ? h(
                'fieldset',
                { key: 'gets' },
                h('legend', null, t.gets),
                kinds.map((kind) =>
                  h(
                    'label',
                    { className: 'check', key: kind },
                    h('input', {
                      type: 'checkbox',
                      name: `gets-${kind}`,
                      value: '1',
                      defaultChecked: gets.includes(kind),
                    }),
                    h('span', null, t.kinds[kind]),
                  ),
                ),
              )
            : null,
          isContact
            ? null
            : h(
                'fieldset',
                { key: 'billing' },
                h('legend', null, t.mailing),
                field('street', t.street, { value: billing.street, autoComplete: 'billing street-address' }),
                h(
                  'div',
                  { className: 'two', key: 'two' },
                  field('city', t.city, { value: billing.city, autoComplete: 'billing address-level2' }),
                  field('state', t.state, {
                    value: billing.state,
                    autoComplete: 'billing address-level1',
                    error: errorOf('state'),
                    more: { maxLength: 2 },
                  }),
                  field('zip', t.zip, {
                    value: billing.zip,
                    autoComplete: 'billing postal-code',
                    error: errorOf('zip'),
                  }),
                ),
              ),
          submit(t.save),
        ),
      ),
      person?.rights.change && account.properties.length > 0
        ? h(
            'section',
            { key: 'places', className: 'short', 'aria-labelledby': 'places' },
            h('h2', { id: 'places' }, t.places),
            h('p', { className: 'quiet' }, t.placesText),
            h(
              'ul',
              { className: 'rows' },
              account.properties.map((place) =>
                h(
                  'li',
                  { key: place.propertyId, style: { display: 'block' } },
                  h('b', null, [place.street, place.unit].filter(Boolean).join(', ')),
                  h(
                    'small',
                    null,
                    [place.city, [place.state, place.zip].filter(Boolean).join(' ')].filter(Boolean).join(', '),
                  ),
                  h(
                    'details',
                    null,
                    h('summary', null, t.changePlaceNamed(place.street)),
                    form(
                      at(view.door, '/account/address'),
                      { once: once(), propertyId: place.propertyId },
                      field('street', t.street, { value: place.street, more: { required: true, maxLength: 200 } }),
                      field('unit', `${t.unit} (${t.optional})`, { value: place.unit, more: { maxLength: 40 } }),
                      h(
                        'div',
                        { className: 'two' },
                        field('city', t.city, { value: place.city, more: { required: true, maxLength: 100 } }),
                        field('state', t.state, { value: place.state, more: { required: true, maxLength: 2 } }),
                        field('zip', t.zip, { value: place.zip, more: { required: true, maxLength: 10 } }),
                      ),
                      field('words', `${t.words} (${t.optional})`, { lines: 2, more: { maxLength: 1000 } }),
                      submit(t.changePlace, 'second'),
                    ),
                  ),
                ),
              ),
            ),
          )
        : null,
      requestsPart(view, requests),
      h(
        'div',
        { key: 'out', className: 'foot' },
        others > 1 ? h('a', { href: at(view.door, '?to=choose') }, t.switch) : null,
        form(at(view.door, '/out'), { everywhere: '1' }, submit(t.signOutAll, 'link')),
      ),
    ],
  })
}
