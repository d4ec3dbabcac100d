import { h, type PageContent } from '../../../../platform/http/page.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Door, Person } from '../../server/queries.ts'
import { at, field, form, link, portalPage, submit, textsOf, type View } from './frame.ts'
import { type PortalTexts, portalTexts } from './texts.ts'

/** The pages in front of the portal: asking for a link, opening one, and what is wrong with one. */

export const signInHtml = (
  view: View,
  { typed = '', wrong = false, lead }: { typed?: string; wrong?: boolean; lead?: { title: string; text: string } } = {},
): string => {
  const t = textsOf(view)
  return portalPage(view, {
    title: lead?.title ?? t.signIn,
    tab: null,
    content: [
      h('h1', { key: 'title' }, lead?.title ?? t.signIn),
      h('p', { key: 'lead', className: 'lead' }, lead?.text ?? t.signInLead),
      h(
        'section',
        { key: 'form' },
        form(
          at(view.door, '/link'),
          { language: view.language },
          field('address', t.address, {
            value: typed,
            hint: t.addressHint,
            error: wrong ? t.badAddress : undefined,
            autoComplete: 'username',
            more: { required: true, inputMode: 'email', maxLength: 254, autoCapitalize: 'none' },
          }),
          submit(t.sendLink),
        ),
      ),
    ],
  })
}

export const linkSentHtml = (view: View, address: string): string => {
  const t = textsOf(view)
  return portalPage(view, {
    title: t.sentTitle,
    tab: null,
    content: [
      h('h1', { key: 'title' }, t.sentTitle),
      h(
        'section',
        { key: 'sent', role: 'status' },
        h('p', null, t.sent(formatPhone(address))),
        h('p', { className: 'quiet small' }, t.sentMore),
        h('p', null, h('a', { href: at(view.door) }, t.again)),
      ),
    ],
  })
}

/** Behind a link: nothing happens before the button is pressed, so that a scanner of mail does not use it up. */
export const enterHtml = (view: View, token: string, address: string): string => {
  const t = textsOf(view)
  return portalPage(view, {
    title: t.signIn,
    tab: null,
    content: [
      h('h1', { key: 'title' }, t.enterTitle(view.door.name)),
      h('p', { key: 'lead', className: 'lead' }, t.enterLead(formatPhone(address))),
      h('section', { key: 'form' }, form(at({ slug: token }, '/enter'), {}, submit(t.enter))),
    ],
  })
}

/** What is wrong, and what to do. */
export const stoppedHtml = (
  view: View,
  kind: 'used' | 'expired' | 'nobody' | 'closed' | 'off' | 'archived' | 'elsewhere',
): string => {
  const t = textsOf(view)
  const texts: Record<typeof kind, [string, string]> = {
    used: [t.used, t.usedText],
    expired: [t.expired, t.expiredText],
    nobody: [t.nobody, t.nobodyText],
    closed: [t.closed, t.closedText],
    off: [t.off, t.offText],
    archived: [t.archived, t.archivedText],
    elsewhere: [t.elsewhere, t.elsewhereText],
  }
  const [title, text] = texts[kind]
  const ways: Partial<Record<typeof kind, PageContent>> = {
    used: link(t.openPortal, at(view.door)),
    expired: link(t.newLink, at(view.door)),
    nobody: link(t.newLink, at(view.door)),
    elsewhere: link(t.openPortal, at(view.door)),
  }
  return portalPage(view, {
    title,
    tab: null,
    content: [
      h('h1', { key: 'title' }, title),
      h(
        'section',
        { key: 'text', role: 'status' },
        h('p', null, text),
        ways[kind] ? h('div', { className: 'acts' }, ways[kind]) : null,
      ),
    ],
  })
}

export const chooseHtml = (view: View, address: string, people: readonly Person[]): string => {
  const t = textsOf(view)
  return portalPage(view, {
    title: t.chooseTitle,
    tab: null,
    content: [
      h('h1', { key: 'title' }, t.chooseTitle),
      h('p', { key: 'lead', className: 'lead' }, t.chooseLead(formatPhone(address))),
      h(
        'ul',
        { key: 'list' },
        people.map((person) =>
          h(
            'li',
            { key: person.customerId, className: 'card' },
            form(
              at(view.door, '/choose'),
              { customerId: person.customerId },
              h('h2', null, person.customerName),
              person.street ? h('p', { className: 'quiet', style: { margin: '0 0 12px' } }, person.street) : null,
              submit(t.open(person.customerName), 'second'),
            ),
          ),
        ),
      ),
    ],
  })
}

const nobodys: Door = {
  businessId: '' as never,
  slug: '',
  name: 'Swath',
  color: '#14432f',
  logoUrl: null,
  phone: null,
  email: null,
  timeZone: 'UTC',
  closed: false,
  sharePhotos: false,
  rules: null as never,
}

/** A link or an address that leads nowhere; in both languages, for nobody knows whose it is. */
export const goneHtml = (): string =>
  portalPage(
    { door: { ...nobodys, slug: 'none' }, language: 'en', session: null },
    {
      title: portalTexts.en.gone,
      tab: null,
      content: (['en', 'es'] as const).map((language) => {
        const t: PortalTexts = portalTexts[language]
        return h(
          'section',
          { key: language, lang: language },
          h(language === 'en' ? 'h1' : 'h2', null, t.gone),
          h('p', null, t.goneText),
        )
      }),
    },
  )
