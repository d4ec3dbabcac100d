import { clock } from '../../../../platform/clock.ts'
import { drawPage, h, type PageContent, type PagePart } from '../../../../platform/http/page.ts'
import { dayOf } from '../../../../shared/dates.ts'
import { paths } from '../../../../shared/paths.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { isLight } from '../../../businesses/rules.ts'
import { dayIn } from '../../../invoices/words/rules.ts'
import { authorOf, changeUntil, isRepliedBefore, longestWords, pageState } from '../../rules.ts'
import type { ReviewPage } from '../../server/queries.ts'
import { type ReviewWords, reviewWords } from './words.ts'

const style = `
:root{color-scheme:light;--ink:#16211a;--quiet:#4d5a51;--line:#e2ddd0;--paper:#faf8f3;--late:#9a2a12;--gold:#b87400}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.5 Hanken Grotesk,system-ui,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:600px;margin:0 auto;padding:20px 16px 48px}
header{display:flex;align-items:center;gap:14px;padding:16px 20px;margin:0 0 16px;border-radius:14px;background:var(--brand);color:var(--on-brand)}
header p{margin:0;flex:1;font-size:20px;line-height:1.2;font-weight:680}
header a{color:inherit;padding:10px 0}
section{background:#fff;border:1px solid var(--line);border-radius:14px;padding:20px;margin:0 0 16px}
h1{margin:0 0 4px;font-size:27px;line-height:1.2;letter-spacing:-.02em}
h2{font-size:19px;margin:0 0 8px}
p{margin:4px 0}
.quiet{color:var(--quiet)}
.words{white-space:pre-line}
.note{border-left:5px solid var(--brand)}
.bad{border-left:5px solid var(--late)}
.wrong{color:var(--late);font-weight:600}
fieldset{border:0;margin:18px 0;padding:0;min-width:0}
legend,.field b{font-weight:650;font-size:18px;padding:0 0 8px}
.stars{display:grid;grid-template-columns:repeat(5,minmax(0,1fr));gap:4px;max-width:420px}
.stars label{position:relative;display:block;text-align:center;cursor:pointer;padding:4px 0 6px;border-radius:12px;font-size:15px;color:var(--quiet)}
.stars input{position:absolute;inset:0;width:100%;height:100%;margin:0;opacity:0;cursor:pointer}
svg{display:block;margin:0 auto 2px;width:100%;max-width:52px;fill:#fff;stroke:#6b7a70;stroke-width:1.4}
.stars label:has(input:checked) svg,.stars label:has(~ label input:checked) svg,svg.on{fill:var(--gold);stroke:var(--gold)}
.stars label:has(input:checked){color:var(--ink);font-weight:700}
.stars label:has(input:focus-visible){outline:3px solid #2766a8;outline-offset:1px}
.given{display:flex;gap:2px;margin:0 0 8px}.given svg{width:30px;margin:0}
.field{display:block;margin:0 0 18px}
.field small{font-weight:400;color:var(--quiet)}
textarea{display:block;width:100%;min-height:130px;margin:6px 0 0;padding:10px 12px;border:1.5px solid #6b7a70;border-radius:12px;font:inherit;background:#fff;color:inherit}
.choice{display:flex;gap:12px;padding:13px 14px;margin:0 0 8px;border:1.5px solid var(--line);border-radius:12px;cursor:pointer}
.choice:has(:checked){border-color:var(--strong);box-shadow:inset 0 0 0 1px var(--strong)}
.choice input{flex:none;width:24px;height:24px;margin:1px 0 0;accent-color:var(--strong)}
.choice small{display:block;color:var(--quiet);font-size:15px}
button{width:100%;min-height:56px;padding:8px 14px;border:0;border-radius:12px;background:var(--brand);color:var(--on-brand);font:inherit;font-weight:650;font-size:19px;cursor:pointer}
.go{display:block;margin:12px 0 0;padding:13px 16px;border:1.5px solid #14432f;border-radius:12px;text-align:center;text-decoration:none}
button:focus-visible,input:focus-visible,textarea:focus-visible,a:focus-visible,summary:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
a{color:#14432f;font-weight:600}
.contact a{display:inline-block;padding:11px 18px 11px 0}
summary{min-height:44px;padding:9px 0;font-weight:650;cursor:pointer}
blockquote{margin:12px 0 0;padding:10px 14px;border-left:4px solid var(--line);background:var(--paper);border-radius:0 10px 10px 0}
@media(max-width:560px){main{padding-top:0}header{margin:0 -16px 16px;border-radius:0}section{padding:18px 16px}h1{font-size:24px}}
`

const starPath = 'M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5L12 17.5l-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z'
const star = (on = false, key?: number): PagePart =>
  h(
    'svg',
    { key, viewBox: '0 0 24 24', 'aria-hidden': true, ...(on ? { className: 'on' } : {}) },
    h('path', { d: starPath }),
  )

/** What was typed and could not be taken. */
export type Typed = {
  stars?: string
  words?: string
  where?: string
  problem?: string
  wrong?: 'stars' | 'words' | 'where'
}

const form = (page: ReviewPage, token: string, language: Language, typed: Typed): PagePart => {
  const t = reviewWords[language]
  const stars = typed.stars ?? (page.stars === null ? '' : String(page.stars))
  const where = typed.where ?? (page.published === null ? '' : page.published ? 'page' : 'them')
  const name = [authorOf(page.customer), page.city].filter(Boolean).join(', ')
  const wrong = (of: Typed['wrong']) =>
    typed.wrong === of ? h('p', { className: 'wrong', id: `wrong-${of}` }, typed.problem) : null
  const tied = (of: Typed['wrong']) => ({ 'aria-describedby': typed.wrong === of ? `wrong-${of}` : undefined })
  const choice = (value: string, label: string, hint: string) =>
    h(
      'label',
      { className: 'choice', key: value },
      h('input', { type: 'radio', name: 'where', value, required: true, defaultChecked: where === value }),
      h('span', null, label, h('small', null, hint)),
    )
  return h(
    'form',
    { method: 'post', action: paths.review(token) },
    h('input', { type: 'hidden', name: 'lang', value: language }),
    h(
      'fieldset',
      tied('stars'),
      h('legend', null, t.stars),
      wrong('stars'),
      h(
        'div',
        { className: 'stars' },
        [1, 2, 3, 4, 5].map((n) =>
          h(
            'label',
            { key: n },
            h('input', {
              type: 'radio',
              name: 'stars',
              value: n,
              required: true,
              defaultChecked: stars === String(n),
              'aria-label': `${t.star(n)}: ${t.grades[n - 1]}`,
            }),
            star(false),
            t.grades[n - 1],
          ),
        ),
      ),
    ),
    h(
      'label',
      { className: 'field' },
      h('b', null, t.words),
      ' ',
      h('small', null, t.optional),
      wrong('words'),
      h('textarea', {
        name: 'words',
        maxLength: longestWords,
        defaultValue: typed.words ?? page.words ?? '',
        ...tied('words'),
      }),
    ),
    h(
      'fieldset',
      tied('where'),
      h('legend', null, t.where),
      wrong('where'),
      choice('page', t.onPage(page.business.name), t.asName(name)),
      choice('them', t.forThem(page.business.name), t.forThemHint),
    ),
    h('button', { type: 'submit' }, page.answeredAt === null ? t.send : t.save),
  )
}

const answered = (page: ReviewPage, t: ReviewWords): PageContent => [
  h(
    'div',
    { key: 'stars', className: 'given', role: 'img', 'aria-label': t.star(page.stars ?? 0) },
    [1, 2, 3, 4, 5].map((n) => star(n <= (page.stars ?? 0), n)),
  ),
  page.words ? h('p', { key: 'words', className: 'words' }, page.words) : null,
  page.reply
    ? h(
        'blockquote',
        { key: 'reply' },
        h('b', null, t.reply(page.business.name)),
        h('p', { className: 'words' }, page.reply),
        isRepliedBefore(page) ? h('p', { className: 'quiet' }, t.repliedBefore) : null,
      )
    : null,
]

const statePart = (page: ReviewPage, token: string, language: Language, typed: Typed): PageContent => {
  const t = reviewWords[language]
  const { business, googleUrl, hiddenReason } = page
  const state = pageState(page, page.answeredAt, clock.nowMs())
  const top = h(
    'p',
    { className: 'quiet', key: 'visit' },
    t.visit(page.day ? dayIn(language, page.day) : '', page.services),
  )
  if (state === 'closed') return h('section', { key: 'closed', className: 'bad' }, h('h1', null, t.closed), top)
  if (state === 'open')
    return h('section', { key: 'open' }, h('h1', null, t.head), top, form(page, token, language, typed))
  const until = dayIn(language, dayOf(changeUntil(page.answeredAt ?? ''), business.timeZone), { year: true })
  return [
    h(
      'section',
      { key: 'thanks', className: hiddenReason ? 'bad' : 'note', role: 'status' },
      h('h1', null, hiddenReason ? t.yours : t.thanks),
      hiddenReason
        ? h(
            'p',
            null,
            `${t.hidden} ${t.reasons[hiddenReason]}. ${page.hiddenChangedAt ? t.hiddenAgain : state === 'changeable' ? t.hiddenHelp : ''}`,
          )
        : h('p', null, page.published ? (business.publicPage ? t.published : t.later) : t.privately),
      answered(page, t),
      page.published && !hiddenReason && business.publicPage
        ? h('p', null, h('a', { href: paths.publicProfile(business.slug) }, t.seePage))
        : null,
    ),
    googleUrl
      ? h(
          'section',
          { key: 'google' },
          h('p', null, t.googleHint),
          h('a', { className: 'go', href: googleUrl, rel: 'noopener noreferrer' }, t.google),
        )
      : null,
    state === 'changeable'
      ? h(
          'section',
          { key: 'change' },
          h(
            'details',
            typed.problem ? { open: true } : null,
            h('summary', null, t.change),
            h('p', { className: 'quiet' }, t.until(until)),
            form(page, token, language, typed),
          ),
        )
      : null,
  ]
}

const frame = (language: Language, title: string, color: string, content: PageContent): string => {
  const light = isLight(color)
  return drawPage({
    language,
    title,
    style,
    content: h(
      'main',
      {
        style: {
          '--brand': color,
          '--on-brand': light ? '#2b1c00' : '#fff',
          '--strong': light ? '#14432f' : color,
        } as never,
      },
      content,
    ),
  })
}

/** The page on which a customer says how a visit was. */
export const reviewHtml = (page: ReviewPage, token: string, language: Language, typed: Typed = {}): string => {
  const t = reviewWords[language]
  const { business } = page
  const other = language === 'en' ? 'es' : 'en'
  return frame(language, t.title(business.name), business.brandColor, [
    h(
      'header',
      { key: 'head' },
      h('p', null, business.name),
      h('a', { href: `${paths.review(token)}?lang=${other}`, lang: other, hrefLang: other }, t.other),
    ),
    typed.problem
      ? h('section', { key: 'problem', className: 'bad', role: 'alert' }, h('p', null, typed.problem))
      : null,
    h('div', { key: 'state' }, statePart(page, token, language, typed)),
    business.phone || business.email
      ? h(
          'section',
          { className: 'contact', key: 'contact' },
          h('h2', null, t.contact),
          business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
          business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
        )
      : null,
  ])
}

/** The same for a link that was forged, taken back or is gone; in both languages, for nobody knows whose it is. */
export const noReviewHtml = (): string =>
  frame(
    'en',
    reviewWords.en.goneTitle,
    '#14432f',
    (['en', 'es'] as const).map((language) =>
      h(
        'section',
        { key: language, lang: language },
        h(language === 'en' ? 'h1' : 'h2', null, reviewWords[language].goneTitle),
        h('p', null, reviewWords[language].gone),
      ),
    ),
  )
