import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('an icon that says something is a picture: without the role its words are read out by few', () => {
  const mute = globSync('src/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/<(?:Icon\w*|svg)\b(?:[^<>{}]|\{[^{}]*\})*>/g)]
      .map(([tag]) => tag)
      .filter((tag) => /\baria-label=/.test(tag) && !/\brole=/.test(tag) && !tag.startsWith('<IconButton'))
      .map((tag) => `${file}: ${tag}`),
  )
  expect(mute).toEqual([])
})
