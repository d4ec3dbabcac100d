import { expect, it } from 'vitest'
import { withOwnStyle } from './page-style.ts'

const page = (style: string, body: string) => `<head><style>${style}</style></head><body>${body}</body>`

it('a page carries the rules that it or its scripts can ask for, and no others', async () => {
  const style =
    ':root{--ink:#111;--spare:#222;--crew:#333}body{color:var(--ink)}.hero .big{top:0}.menu.is-open{left:0}.prices{right:0}@media (min-width:960px){.hero{top:1px}.prices{top:1px}}a:not(.big):hover{top:2px}[data-nav=out] .menu{top:3px}[data-theme=dark] a{top:4px}'
  const own = await withOwnStyle(
    page(style, '<a class="hero"><b class="big"></b></a><i class="menu" style="color:var(--crew)">'),
    ['add("is-open");d.dataset.nav=q'],
  )
  expect(own).toContain(
    '.hero .big{top:0}.menu.is-open{left:0}@media (min-width:960px){.hero{top:1px}}a:not(.big):hover{top:2px}[data-nav=out] .menu{top:3px}',
  )
  expect(own).toMatch(/--ink.*--crew/)
  expect(own).not.toMatch(/prices|spare|dark/)
})

it('what the style itself says about text in it is no reason to keep a rule', async () => {
  expect(await withOwnStyle(page('.one{top:0}.two{top:0}', '<i class="two">'), [])).toContain(
    '<style>.two{top:0}</style>',
  )
})
