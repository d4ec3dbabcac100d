import { h, type PageContent } from '../../../../platform/http/page.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import type { Language } from '../../../businesses/notices/rules.ts'
import { paperHtml } from '../../statement/server/frame.ts'
import { cardLinkPath } from '../rules.ts'
import type { CardPage } from './queries.ts'

const words = {
  en: {
    onFile: (isBank: boolean) => `Your ${isBank ? 'bank account' : 'card'} is on file. Thank you!`,
    pays: (card: string, from: string) =>
      `${card} pays your invoices from ${from} on the day they are due. You hear of each charge before.`,
    nothing: 'Nothing was charged. You can turn it off at any time on the page of any invoice.',
    used: 'This link was used',
    usedMore: (from: string) => `It says nothing of a card any more. Ask ${from} for a new one to leave a card.`,
    old: 'This link is too old',
    oldMore: (from: string) => `Nothing was kept. Ask ${from} for a new one.`,
    bad: 'That did not work',
    waits: 'Confirming it…',
    waitsMore: 'This takes a few seconds. If it stays like this, nothing was kept: try again below.',
    title: (thing: string, from: string) => `Leave ${thing} with ${from}`,
    lead: (name: string) => `For ${name}. Nothing is charged now; the number stays with the payment provider.`,
    instead: (card: string) => `It takes the place of your ${card}.`,
    agreement: 'What you agree to',
    press: (thing: string) => `Agree and leave ${thing}`,
    secure: 'Secure page of the payment provider.',
    trial: 'Test page: nothing real is kept.',
    none: (from: string) => `${from} does not take cards right now. Please contact them.`,
    test: 'TEST: no card charged',
    questions: 'Questions?',
  },
  es: {
    onFile: (isBank: boolean) => `Su ${isBank ? 'cuenta bancaria' : 'tarjeta'} está guardada. ¡Gracias!`,
    pays: (card: string, from: string) =>
      `Su ${card} paga sus facturas de ${from} el día en que vencen. Le avisamos antes de cada cobro.`,
    nothing: 'No se cobró nada. Puede desactivarlo en cualquier momento en la página de cualquier factura.',
    used: 'Este enlace ya se usó',
    usedMore: (from: string) => `Ya no dice nada de una tarjeta. Pida a ${from} uno nuevo para dejar una tarjeta.`,
    old: 'Este enlace es demasiado viejo',
    oldMore: (from: string) => `No se guardó nada. Pida a ${from} uno nuevo.`,
    bad: 'Eso no funcionó',
    waits: 'Confirmando…',
    waitsMore: 'Tarda unos segundos. Si sigue así, no se guardó nada: inténtelo de nuevo abajo.',
    title: (thing: string, from: string) => `Deje ${thing} con ${from}`,
    lead: (name: string) => `Para ${name}. Ahora no se cobra nada; el número queda con el procesador de pagos.`,
    instead: (card: string) => `Reemplaza a su ${card}.`,
    agreement: 'Lo que usted acepta',
    press: (thing: string) => `Aceptar y dejar ${thing}`,
    secure: 'Página segura del procesador de pagos.',
    trial: 'Página de prueba: no se guarda nada real.',
    none: (from: string) => `${from} no acepta tarjetas en este momento. Por favor comuníquese con ellos.`,
    test: 'PRUEBA: no se cobra ninguna tarjeta',
    questions: '¿Preguntas?',
  },
} satisfies Record<Language, unknown>

const plain = (title: string, text: string): PageContent =>
  h('section', { className: 'top' }, h('h1', null, title), h('p', null, text))

const inside = (
  page: CardPage,
  token: string,
  { isBack, problem }: { isBack: boolean; problem: string | null },
): PageContent => {
  const { business, mandate, card } = page
  const t = words[page.language]
  if (page.state === 'done')
    return h(
      'section',
      { className: 'top', role: 'status' },
      h('h1', null, t.onFile(page.isBank)),
      card ? h('p', null, t.pays(card, business.name)) : null,
      h('p', { className: 'quiet' }, t.nothing),
    )
  if (page.state === 'used') return plain(t.used, t.usedMore(business.name))
  if (page.state === 'expired') return plain(t.old, t.oldMore(business.name))
  return [
    problem
      ? h('section', { className: 'bad', role: 'alert', key: 'bad' }, h('h2', null, t.bad), h('p', null, problem))
      : isBack
        ? h(
            'section',
            { className: 'note', role: 'status', key: 'wait' },
            h('h2', null, t.waits),
            h('p', null, t.waitsMore),
          )
        : null,
    h(
      'section',
      { className: 'top', key: 'top' },
      h('h1', null, t.title(page.thing, business.name)),
      h('p', null, t.lead(page.name)),
      card ? h('p', null, t.instead(card)) : null,
    ),
    page.takesCards
      ? h(
          'form',
          { method: 'post', action: `${cardLinkPath(token)}/leave`, key: 'form' },
          h('h2', null, t.agreement),
          h('blockquote', null, mandate.text),
          h('input', { type: 'hidden', name: 'mandate', value: mandate.text, readOnly: true }),
          h('button', { type: 'submit' }, t.press(page.thing)),
          h('p', { className: 'quiet' }, page.livemode ? t.secure : t.trial),
        )
      : h('section', { key: 'none' }, h('p', null, t.none(business.name))),
  ]
}

/** The page at which a customer leaves a card without paying. */
export const cardHtml = (page: CardPage, token: string, state: { isBack: boolean; problem: string | null }): string => {
  const { business, language } = page
  const t = words[language]
  return paperHtml(
    t.title(page.thing, business.name),
    business.color,
    [
      page.livemode ? null : h('p', { className: 'test', key: 'test' }, t.test),
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
        h('h2', null, t.questions),
        business.phone ? h('a', { href: `tel:${business.phone}` }, formatPhone(business.phone)) : null,
        business.email ? h('a', { href: `mailto:${business.email}` }, business.email) : null,
        business.phone || business.email ? null : h('p', null, business.name),
      ),
    ],
    {
      language,
      ...(page.state === 'open' && state.isBack ? { refresh: { seconds: 4, url: cardLinkPath(token) } } : {}),
    },
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
      // who reads it is not known, so it is said in both languages
      h('h2', { lang: 'es' }, 'Este enlace no recibe ninguna tarjeta'),
      h(
        'p',
        { lang: 'es' },
        'Puede estar cortado. Ábralo de nuevo desde el correo que recibió, o pida uno nuevo a la empresa que lo envió.',
      ),
    ),
  )
