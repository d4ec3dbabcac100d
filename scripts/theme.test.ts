import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('../src/ui/theme/tokens.css', import.meta.url), 'utf8')

/** The custom properties of the block that begins with a selector. */
const tokensOf = (selector: string): Record<string, string> => {
  const from = css.indexOf(`${selector} {`)
  const block = css.slice(from, css.indexOf('}', from))
  return Object.fromEntries([...block.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))
}

test('the dark theme is the same whether a person chose it or their system did', () => {
  const chosen = tokensOf("[data-theme='dark']")
  expect(Object.keys(chosen).length).toBeGreaterThan(40)
  expect(tokensOf("[data-theme='auto']")).toEqual(chosen)
})

test('the dark theme knows no color that the light one does not', () => {
  const light = tokensOf(':root')
  expect(Object.keys(tokensOf("[data-theme='dark']")).filter((name) => !(name in light))).toEqual([])
})
