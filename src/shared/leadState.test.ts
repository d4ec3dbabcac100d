import { afterEach, expect, test, vi } from 'vitest'
import { readLeadState, saveLeadState } from './leadState.ts'

const storage = (start: Record<string, string> = {}): Pick<Storage, 'getItem' | 'setItem'> => {
  const values = new Map(Object.entries(start))
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => values.set(key, value) }
}
afterEach(() => vi.unstubAllGlobals())

test('name, e-mail and phone travel, and nothing else', () => {
  vi.stubGlobal('sessionStorage', storage())
  expect(readLeadState()).toBeNull()
  const lead = { name: 'Dana', email: 'dana@lawn.example', phone: '912 555 0123' }
  saveLeadState({ ...lead, more: 'no' } as never)
  expect(readLeadState()).toEqual(lead)
})

test.each(['{', '7', '{"name":"x"}', '{"name":1,"email":"e","phone":"p"}'])('%s is no lead', (text) => {
  vi.stubGlobal('sessionStorage', storage({ 'swath.lead': text }))
  expect(readLeadState()).toBeNull()
})

test('a browser without storage carries nothing and complains about nothing', () => {
  vi.stubGlobal('sessionStorage', {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('refused')
    },
  })
  saveLeadState({ name: 'a', email: 'b', phone: 'c' })
  expect(readLeadState()).toBeNull()
})
