import { drawPage, h, type PagePart } from '../../../../platform/http/page.ts'
import { formatPhone } from '../../../../shared/phone.ts'
import { consentLine, offersLine } from '../rules.ts'
import type { Door } from './queries.ts'

const style = `
*{box-sizing:border-box}
body{margin:0;background:#faf8f3;color:#16211a;font:17px/1.5 Hanken Grotesk,Segoe UI,Roboto,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:560px;margin:0 auto;padding:24px 16px 48px}
section{background:#fff;border:1px solid #e2ddd0;border-top:5px solid var(--brand);border-radius:14px;padding:20px}
h1{margin:0 0 6px;font-size:25px;line-height:1.2}
p{margin:0 0 14px}
label{display:block;font-weight:600;margin:0 0 14px}
label small{font-weight:400;color:#4d5a52}
input,textarea{display:block;width:100%;min-height:48px;margin:5px 0 0;padding:9px 12px;border:1.5px solid #6b7a70;border-radius:10px;font:inherit}
[aria-invalid=true]{border-color:#a1341f}
.bad{color:#a1341f;font-weight:600;font-size:15px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:0 12px}
.box{display:flex;gap:10px;font-weight:400;font-size:15px}
.box input{flex:none;width:24px;min-height:24px;height:24px;margin:0}
.away{position:absolute;left:-9999px}
button{width:100%;min-height:54px;border-radius:10px;border:0;background:#14432f;color:#fff;font:inherit;font-weight:700;cursor:pointer}
button:focus-visible,input:focus-visible,textarea:focus-visible,a:focus-visible{outline:3px solid #2766a8;outline-offset:2px}
a{color:#14432f;font-weight:600}
`

type Problem = { path: string; message: string }

const field = (
  name: string,
  label: string,
  values: Record<string, string>,
  problems: readonly Problem[],
  props: Record<string, unknown> = {},
): PagePart => {
  const bad = problems.find(({ path }) => path === name)
  return h(
    'label',
    { key: name },
    label,
    h('input', {
      name,
      defaultValue: (values[name] ?? '').slice(0, 300),
      ...(bad ? { 'aria-invalid': true, 'aria-describedby': `bad-${name}` } : {}),
      ...props,
    }),
    bad ? h('span', { className: 'bad', id: `bad-${name}` }, bad.message) : null,
  )
}

const frame = (door: Pick<Door, 'color'>, title: string, ...content: PagePart[]): string =>
  drawPage({
    language: 'en',
    title,
    style: `:root{--brand:${/^#[0-9a-f]{6}$/i.test(door.color) ? door.color : '#14432f'}}${style}`,
    content: h('main', null, h('section', null, ...content)),
  })

/** The form as a page: what was typed stays, and what is wrong stands where it is. */
export const formPageHtml = (
  door: Door,
  slug: string,
  values: Record<string, string>,
  problems: readonly Problem[],
): string => {
  const elsewhere = problems.filter(({ path }) => !['name', 'phone', 'email', 'zip'].includes(path))
  const put = (name: string, label: string, props?: Record<string, unknown>) =>
    field(name, label, values, problems, props)
  return frame(
    door,
    `Ask ${door.name} for a price`,
    h('h1', null, 'Ask for a price'),
    h('p', null, `${door.name} answers as soon as somebody is in the office.`),
    problems.length > 0
      ? h(
          'p',
          { className: 'bad', role: 'alert' },
          elsewhere[0]?.message ?? 'Nothing was sent yet: please look at what is marked.',
        )
      : h('span'),
    h(
      'form',
      { method: 'post', action: `/lead-form/${encodeURIComponent(slug)}` },
      put('name', 'Your name', { required: true, maxLength: 120, autoComplete: 'name' }),
      put('phone', 'Phone', { type: 'tel', maxLength: 40, autoComplete: 'tel' }),
      put('email', 'E-mail', { type: 'email', maxLength: 254, autoComplete: 'email' }),
      put('street', 'Street', { maxLength: 200, autoComplete: 'address-line1' }),
      h(
        'div',
        { className: 'two' },
        put('city', 'City', { maxLength: 100, autoComplete: 'address-level2' }),
        put('zip', 'ZIP code', { maxLength: 10, inputMode: 'numeric', autoComplete: 'postal-code' }),
      ),
      h(
        'label',
        null,
        'What do you need?',
        h('textarea', { name: 'wants', rows: 3, maxLength: 2000, defaultValue: (values.wants ?? '').slice(0, 2000) }),
      ),
      h(
        'label',
        { className: 'box' },
        h('input', { type: 'checkbox', name: 'consent', value: 'yes', defaultChecked: values.consent === 'yes' }),
        h('span', null, consentLine(door.name)),
      ),
      h(
        'label',
        { className: 'box' },
        h('input', { type: 'checkbox', name: 'offers', value: 'yes', defaultChecked: values.offers === 'yes' }),
        h('span', null, offersLine(door.name)),
      ),
      h(
        'div',
        { className: 'away', 'aria-hidden': true },
        h('label', null, 'Leave this empty', h('input', { name: 'company', tabIndex: -1, autoComplete: 'off' })),
      ),
      h('button', { type: 'submit' }, 'Send'),
    ),
  )
}

export const thanksPageHtml = (door: Door): string =>
  frame(
    door,
    `Thank you from ${door.name}`,
    h('h1', null, 'Thank you. We have your request.'),
    h('p', null, `${door.name} will get back to you. There is nothing else you need to do.`),
    door.phone
      ? h('p', null, 'In a hurry? Call ', h('a', { href: `tel:${door.phone}` }, formatPhone(door.phone)), '.')
      : h('span'),
  )

export const gonePageHtml = (): string =>
  frame(
    { color: '#14432f' },
    'No requests are taken here',
    h('h1', null, 'No requests are taken here'),
    h('p', null, 'The address may be an old one. Please call the business that gave it to you.'),
  )
