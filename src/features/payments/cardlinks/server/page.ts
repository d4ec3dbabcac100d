import { h, type PageContent } from '../../../../platform/http/page.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { paperHtml } from '../../statement/server/frame.ts'
import { cardLinkPath } from '../rules.ts'
import type { CardPage } from './queries.ts'

const inside = (
  page: CardPage,
  token: string,
  { isBack, problem }: { isBack: boolean; problem: string | null },
): PageContent => {
  const { business, mandate, card } = page
  if (page.state === 'done')
    return h(
      'section',
      { className: 'top', role: 'status' },
      h('h1', null, `Your ${page.isBank ? 'bank account' : 'card'} is on file. Thank you!`),
      card
        ? h(
            'p',
            null,
            `${card} pays your invoices from ${business.name} on the day they are due. You hear of each charge before.`,
          )
        : null,
      h(
        'p',
        { className: 'quiet' },
        'Nothing was charged. You can turn it off at any time on the page of any invoice.',
      ),
    )
  if (page.state === 'used')
    return h(
      'section',
      { className: 'top' },
      h('h1', null, 'This link was used'),
      h('p', null, `It says nothing of a card any more. Ask ${business.name} for a new one to leave a card.`),
    )
  if (page.state === 'expired')
    return h(
      'section',
      { className: 'top' },
      h('h1', null, 'This link is too old'),
      h('p', null, `Nothing was kept. Ask ${business.name} for a new one.`),
    )
  return [
    problem
      ? h(
          'section',
          { className: 'bad', role: 'alert', key: 'bad' },
          h('h2', null, 'That did not work'),
          h('p', null, problem),
        )
      : isBack
        ? h(
            'section',
            { className: 'note', role: 'status', key: 'wait' },
            h('h2', null, 'Confirming it…'),
            h('p', null, 'This takes a few seconds. If it stays like this, nothing was kept: try again below.'),
          )
        : null,
    h(
      'section',
      { className: 'top', key: 'top' },
      h('h1', null, `Leave ${page.thing} with ${business.name}`),
      h('p', null, `For ${page.name}. Nothing is charged now; the number stays with the payment provider.`),
      card ? h('p', null, `It takes the place of your ${card}.`) : null,
    ),
    page.takesCards
      ? h(
          'form',
          { method: 'post', action: `${cardLinkPath(token)}/leave`, key: 'form' },
          h('h2', null, 'What you agree to'),
          h('blockquote', null, mandate.text),
          h('input', { type: 'hidden', name: 'mandate', value: mandate.text, readOnly: true }),
          h('button', { type: 'submit' }, `Agree and leave ${page.thing}`),
          h(
            'p',
            { className: 'quiet' },
            page.livemode ? 'Secure page of the payment provider.' : 'Test page: nothing real is kept.',
          ),
        )
      : h(
          'section',
          { key: 'none' },
          h('p', null, `${business.name} does not take cards right now. Please contact them.`),
        ),
  ]
}

/** The page at which a customer leaves a card without paying. */
export const cardHtml = (page: CardPage, token: string, state: { isBack: boolean; problem: string | null }): string => {
  const { business } = page
  return paperHtml(
    `Leave ${page.thing} with ${business.name}`,
    business.color,
    [
      page.livemode ? null : h('p', { className: 'test', key: 'test' }, 'TEST: no card charged'),
      h(
        'header',
        { key: 'head' },
        business.logoUrl ? h('img', { src: business.logoUrl, alt: '' }) : null,
        h('p', null, business.name),
      ),
      h('div', { key: 'in' }, inside(page, token, state)),
      h(
        'section',
        { className: 'contact', key: 'contact' },
        h('h2', null, 'Questions?'),
        business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
        business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
        business.phone || business.email ? null : h('p', null, business.name),
      ),
    ],
    page.state === 'open' && state.isBack ? { refresh: { seconds: 4, url: cardLinkPath(token) } } : {},
  )
}

/** The same for a link that never was and one of something else. */
export const noCardHtml = (): string =>
  paperHtml(
    'This link takes no card',
    '#14432f',
    h(
      'section',
      { className: 'top' },
      h('h1', null, 'This link takes no card'),
      h(
        'p',
        null,
        'It may be cut off. Open it again from the mail you got, or ask the business that sent it for a new one.',
      ),
    ),
  )
