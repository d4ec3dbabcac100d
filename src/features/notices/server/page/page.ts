import { drawPage, h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { drawnOver } from '../../../../platform/http/strokes.ts'
import { formatTime } from '../../../../shared/dates.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { isSkipReason } from '../../../visits/rules.ts'
import { dayWords, windowWords } from '../../rules.ts'
import { keepOffWords } from '../treated.ts'
import type { PageVisit, VisitPage } from './queries.ts'
import { type PageWords, pageWords } from './words.ts'

/** A visit as a page of its own: drawn here, so that it stands without a script and loads on any phone; a small script only asks for it again. */

const style = `
:root{color-scheme:light;--ink:#16211a;--quiet:#4d5a51;--line:#e2ddd0;--paper:#faf8f3}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 Hanken Grotesk,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:560px;margin:0 auto;padding:20px 16px 40px}
header{display:flex;align-items:center;gap:12px;padding:4px 0 16px}
header img{max-height:44px;max-width:140px}
header p{margin:0;font-weight:700}
.visit{background:#fff;border:1px solid var(--line);border-top:5px solid var(--brand);border-radius:14px;padding:18px 18px 6px;margin:0 0 18px}
h1,.visit h2{margin:0 0 2px;font-size:25px;line-height:1.2}
h2,h3{font-size:17px;margin:18px 0 10px}
dl{margin:10px 0 0}
.lead{margin:4px 0 14px;color:var(--quiet)}
.said{margin:0 0 14px;padding:10px 14px;border-left:4px solid var(--brand);background:var(--paper);border-radius:0 10px 10px 0}.said p{margin:2px 0 0;white-space:pre-line}
.now{display:inline-block;margin:0 0 10px;padding:3px 11px;border-radius:99px;background:#e3efe6;color:#14432f;font-weight:600;font-size:15px}
.late{background:#fbe9d9;color:#7a3b06}
dl div{display:grid;grid-template-columns:132px 1fr;gap:10px;padding:11px 0;border-top:1px solid var(--line)}
dt{color:var(--quiet)}dd{margin:0;font-weight:600}dd small{display:block;font-weight:400;color:var(--quiet)}
.photos{display:grid;grid-template-columns:1fr 1fr;gap:10px;margin:0 0 14px;padding:0;list-style:none}
.photos img{width:100%;border-radius:10px;display:block;aspect-ratio:4/3;object-fit:cover}
.photo{position:relative}.photo svg{position:absolute;inset:0;width:100%;height:100%}.edge{stroke:#101512}.red{stroke:#e5140a}.yellow{stroke:#ffd60a}
.photos span{font-size:14px;color:var(--quiet)}
.contact a{color:#14432f;font-weight:600;display:inline-block;padding:11px 18px 11px 0}
.contact p{margin:0}
.asof{color:var(--quiet);font-size:14px}
@media(max-width:360px){dl div{grid-template-columns:1fr;gap:0}}
`

type Said = { title: string; badge: string; late?: boolean; lead?: string }

const said = (visit: PageVisit, page: VisitPage, words: PageWords): Said => {
  const { language, timeZone, today } = page
  const time = (at: string | null) => (at ? formatTime(at, timeZone) : '')
  const day = visit.day ? dayWords(visit.day, language, true) : null
  const shown = visit.day === today ? `${words.today}, ${day}` : day
  if (visit.status === 'en_route') return { title: words.onWay(time(visit.enRouteAt)), badge: shown ?? '' }
  if (visit.status === 'in_progress') return { title: words.here(time(visit.startedAt)), badge: shown ?? '' }
  if (visit.status === 'paused') return { title: words.paused, badge: shown ?? '' }
  if (visit.status === 'completed') return { title: words.done(time(visit.finishedAt)), badge: shown ?? '' }
  if (visit.status === 'canceled') return { title: words.canceled, badge: shown ?? '', late: true }
  if (visit.status === 'skipped' || visit.status === 'missed') {
    const reason = visit.skipReason && isSkipReason(visit.skipReason) ? words.skips[visit.skipReason] : ''
    const again = visit.again ? words.again(dayWords(visit.again, language, true)) : ''
    return {
      title: visit.status === 'skipped' ? words.skipped : words.missed,
      badge: shown ?? '',
      late: true,
      lead: [reason, again].filter(Boolean).join(' '),
    }
  }
  if (!day || !shown) return { title: words.noDay, badge: '', late: true }
  const from = visit.movedFrom ? dayWords(visit.movedFrom, language) : null
  return {
    title: words.planned(visit.day === today ? `${words.on}, ${day}` : day),
    badge: visit.before === null ? '' : words.before(visit.before),
    ...(from ? { lead: words.moved(dayWords(visit.day ?? '', language), from) } : {}),
  }
}

const fact = (label: string, value: PageContent, note?: string): PagePart | null =>
  value
    ? h('div', { key: label }, h('dt', null, label), h('dd', null, value, note ? h('small', null, note) : null))
    : null

const visitPart = (visit: PageVisit, page: VisitPage, words: PageWords, isMain: boolean): PagePart => {
  const { title, badge, late, lead } = said(visit, page, words)
  const waits = visit.status === 'scheduled' && visit.day !== null
  return h(
    'section',
    { className: 'visit', key: visit.id },
    badge ? h('p', { className: late ? 'now late' : 'now' }, badge) : null,
    h(isMain ? 'h1' : 'h2', null, title),
    lead ? h('p', { className: 'lead' }, lead) : null,
    visit.note ? h('blockquote', { className: 'said' }, h('b', null, words.fromCrew), h('p', null, visit.note)) : null,
    h(
      'dl',
      null,
      fact(words.services, visit.services),
      waits
        ? visit.window
          ? fact(words.window, windowWords(visit.window, page.language), words.windowNote)
          : fact(words.window, words.noWindow)
        : null,
      fact(words.crew, visit.crew),
      visit.treated ? fact(words.keepOff, keepOffWords(visit.treated, page)) : null,
      visit.treated
        ? fact(
            words.applied,
            visit.treated.products.map(({ name, labelUrl }) =>
              h(
                'span',
                { key: name, style: { display: 'block' } },
                name,
                labelUrl
                  ? [' ', h('a', { key: 'label', href: labelUrl, rel: 'noopener noreferrer' }, words.label)]
                  : null,
              ),
            ),
          )
        : null,
    ),
    visit.checked.length
      ? [
          h('h3', { key: 'checked' }, words.checked),
          h(
            'ul',
            { key: 'items' },
            visit.checked.map((text) => h('li', { key: text }, `✓ ${text}`)),
          ),
        ]
      : null,
    visit.photos.length
      ? [
          h('h3', { key: 'photos' }, words.photos),
          h(
            'ul',
            { className: 'photos', key: 'list' },
            visit.photos.map((photo) =>
              h(
                'li',
                { key: photo.url },
                h(
                  'div',
                  { className: 'photo' },
                  h('img', { src: photo.url, alt: words.photoOf[photo.kind], loading: 'lazy' }),
                  drawnOver(photo),
                ),
                h('span', { 'aria-hidden': true }, words.photoOf[photo.kind]),
              ),
            ),
          ),
        ]
      : null,
  )
}

/** The whole page of a visit. */
export const visitPageHtml = (page: VisitPage): string => {
  const words = pageWords[page.language]
  const { business, visits } = page
  const [main, ...others] = visits
  return drawPage({
    language: page.language,
    title: words.title(business.name),
    style,
    script: '/visit.js',
    content: h(
      'main',
      { style: { '--brand': business.color } as never },
      h(
        'header',
        null,
        business.logoUrl ? h('img', { src: business.logoUrl, alt: '' }) : null,
        h('p', null, business.name),
      ),
      h(
        'div',
        { id: 'live', 'aria-live': 'polite' },
        main ? visitPart(main, page, words, true) : null,
        others.length ? h('h2', null, words.also) : null,
        others.map((visit) => visitPart(visit, page, words, false)),
      ),
      business.phone || business.email
        ? h(
            'div',
            { className: 'contact' },
            h('p', null, words.call),
            business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
            business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
          )
        : null,
      h('p', { className: 'asof', id: 'asof' }, words.asOf(formatTime(page.now, page.timeZone))),
    ),
  })
}

/** What a link shows that leads nowhere, whatever the reason: nobody learns which visits there are. In both languages, since nobody knows whose it is. */
export const gonePageHtml = (): string =>
  drawPage({
    language: 'en',
    title: pageWords.en.goneTitle,
    style,
    content: h(
      'main',
      { style: { '--brand': '#14432f' } as never },
      (['en', 'es'] as const).map((language) =>
        h(
          'section',
          { className: 'visit', key: language, lang: language },
          h(language === 'en' ? 'h1' : 'h2', null, pageWords[language].goneTitle),
          h('p', null, pageWords[language].goneText),
        ),
      ),
    ),
  })
