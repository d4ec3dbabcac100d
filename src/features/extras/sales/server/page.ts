import { drawPage, h } from '../../../../platform/http/page.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { saleWords } from '../rules.ts'
import type { AskedSale } from './queries.ts'

const style = `
*{box-sizing:border-box}
body{margin:0;background:#faf8f3;color:#16211a;font:18px/1.5 Hanken Grotesk,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:560px;margin:0 auto;padding:20px 16px 40px}
header{padding:4px 0 16px;font-weight:700}
section{background:#fff;border:1px solid #e2ddd0;border-top:5px solid var(--brand);border-radius:14px;padding:18px}
h1{margin:0 0 10px;font-size:25px;line-height:1.2}
p{margin:0 0 14px}
label{display:block;font-weight:600}
input{width:100%;min-height:52px;margin:6px 0 16px;padding:8px 12px;border:1.5px solid #6b7a70;border-radius:12px;font:inherit}
button{width:100%;min-height:56px;margin:0 0 10px;border-radius:12px;border:1.5px solid #14432f;background:#14432f;color:#fff;font:inherit;font-weight:700;cursor:pointer}
button.no{background:#fff;color:#14432f}
a{color:#14432f;font-weight:600;display:inline-block;padding:11px 0}
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
`

const texts = {
  en: {
    title: (name: string) => `Extra work by ${name}`,
    ask: (title: string) => `Also ${title}?`,
    name: 'Your name',
    yes: 'Yes, please do it',
    no: 'No, thank you',
    said: { yes: 'Thank you. We have your OK.', no: 'Thank you. We leave it out.', over: 'This question is closed.' },
    call: (name: string) => `Questions? ${name}`,
    goneTitle: 'This link asks nothing',
    goneText: 'It may be old. Please call the business that sent it.',
  },
  es: {
    title: (name: string) => `Trabajo extra de ${name}`,
    ask: (title: string) => `¿También ${title}?`,
    name: 'Su nombre',
    yes: 'Sí, háganlo por favor',
    no: 'No, gracias',
    said: {
      yes: 'Gracias. Tenemos su aprobación.',
      no: 'Gracias. No lo haremos.',
      over: 'Esta pregunta ya está cerrada.',
    },
    call: (name: string) => `¿Preguntas? ${name}`,
    goneTitle: 'Este enlace no pregunta nada',
    goneText: 'Puede ser viejo. Por favor llame a la empresa que lo envió.',
  },
} as const

/** What a customer is asked, or what holds once they answered. */
export const saleHtml = (sale: AskedSale): string => {
  const words = texts[sale.language]
  const open = sale.state === 'asked' && !sale.over
  const said =
    sale.answer === 'no'
      ? words.said.no
      : sale.answer === 'yes' && ['added', 'waiting', 'booked'].includes(sale.state)
        ? words.said.yes
        : words.said.over
  return drawPage({
    language: sale.language,
    title: words.title(sale.business),
    style,
    content: h(
      'main',
      { style: { '--brand': sale.color } as never },
      h('header', null, sale.business),
      h(
        'section',
        null,
        h('h1', null, open ? words.ask(sale.title) : said),
        h('p', null, saleWords(sale)),
        open
          ? h(
              'form',
              { method: 'post' },
              h('label', { htmlFor: 'name' }, words.name),
              h('input', { id: 'name', name: 'name', maxLength: 120, autoComplete: 'name' }),
              h('button', { type: 'submit', name: 'answer', value: 'yes' }, words.yes),
              h('button', { type: 'submit', name: 'answer', value: 'no', className: 'no' }, words.no),
            )
          : null,
        sale.phone
          ? h('a', { href: `tel:${sale.phone}` }, `${words.call(sale.business)}, ${formatPhone(sale.phone)}`)
          : null,
      ),
    ),
  })
}

/** What a link shows that leads nowhere; in both languages, for nobody knows whose it is. */
export const saleGoneHtml = (): string =>
  drawPage({
    language: 'en',
    title: texts.en.goneTitle,
    style,
    content: h(
      'main',
      { style: { '--brand': '#14432f' } as never },
      (['en', 'es'] as const).map((language) =>
        h(
          'section',
          { key: language, lang: language },
          h(language === 'en' ? 'h1' : 'h2', null, texts[language].goneTitle),
          h('p', null, texts[language].goneText),
        ),
      ),
    ),
  })
