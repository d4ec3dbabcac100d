import { expect, test, vi } from 'vitest'
import { type BrowserError, createReporter, toldOf, withoutData } from './browserErrors.ts'
import { ApiError } from './client.ts'

test.each([
  ['Cannot read r.odom@example.com of undefined', 'Cannot read <e-mail> of undefined'],
  ['no visit 0198c0de-1234-7abc-8def-0123456789ab', 'no visit <id>'],
  ['call (912) 555-0147 failed', 'call <number> failed'],
  [
    'at f (https://swath.test/assets/admin/x-1.js?token=abc:12:3456)',
    'at f (https://swath.test/assets/admin/x-1.js:12:3456)',
  ],
  ['at f (https://swath.test/assets/admin/x-1.js:12:3456)', 'at f (https://swath.test/assets/admin/x-1.js:12:3456)'],
])('%s', (text, clean) => expect(withoutData(text)).toBe(clean))

test('a public link is told by its pattern, not by its secret', () => {
  expect(toldOf(new TypeError('x is not a function'), 'admin', '/i/the-secret-of-a-customer')).toMatchObject({
    message: 'TypeError: x is not a function',
    screen: '/i/:token',
  })
})

test('lost connections and requests that were given up are no faults', () => {
  expect(toldOf(new ApiError('network', 'We could not reach Swath.', 0), 'crew', '/')).toBeNull()
  expect(toldOf(new DOMException('given up', 'AbortError'), 'crew', '/')).toBeNull()
})

test('the same error is told once, and ten kinds at most', () => {
  const send = vi.fn<(error: BrowserError) => void>()
  const report = createReporter(send, 'admin', () => '/dashboard')
  const loop = new Error('over and over')
  for (let n = 0; n < 50; n++) report(loop)
  expect(send).toHaveBeenCalledTimes(1)
  for (let n = 0; n < 50; n++) report(new Error(`kind ${'abcdefghijklmnopqrstuvwxyz'[n % 26]}`))
  expect(send).toHaveBeenCalledTimes(10)
})
