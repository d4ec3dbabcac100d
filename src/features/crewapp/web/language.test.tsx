import { beforeEach, expect, it } from 'vitest'
import { answerWith } from '../../../ui/testing/show.tsx'
import { chooseLanguage, tellLanguage } from './data.ts'
import { readSettings } from './settings.ts'

beforeEach(() => localStorage.clear())

it('a language that was chosen without a signal is told to the server when there is one, of the person who chose it', async () => {
  const told: unknown[] = []
  let signal = false
  answerWith(async (request) => {
    if (!signal) throw new TypeError('no signal')
    told.push(await request.json())
    return { body: {} }
  })
  chooseLanguage('luis', 'es')
  await expect(tellLanguage('luis')).rejects.toThrow()
  expect(readSettings()).toMatchObject({ language: 'es', untold: 'luis' })
  signal = true
  await tellLanguage('ana')
  expect(told).toEqual([])
  await tellLanguage('luis')
  expect([told, readSettings().untold]).toEqual([[{ language: 'es' }], null])
  await tellLanguage('luis')
  expect(told).toHaveLength(1)
})
