import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DayStrip } from './DayStrip.tsx'

const stops = [
  { id: 'a', label: '45 Wassaw Rd', minutes: 28, driveMinutesBefore: 4, state: 'done' as const },
  { id: 'b', label: '12 Bluff Dr', minutes: 30, driveMinutesBefore: 5, state: 'now' as const, detail: 'Mow' },
  { id: 'c', label: '7 Tidewater Way', minutes: 20, driveMinutesBefore: 5, state: 'skipped' as const },
]
const shift = { startMinute: 420, endMinute: 600 }

test('prints without a browser; one stripe is in the order of the Tab key, the one being worked', () => {
  const html = renderToStaticMarkup(
    createElement(DayStrip, { stops, shift, ariaLabel: 'North crew', axis: true, list: true, nowMinute: 480 }),
  )
  expect(html).toContain('aria-label="North crew, 3 stops: 1 done, 1 being worked, 1 skipped"')
  expect(html).toContain(
    'aria-label="2. 12 Bluff Dr, being worked, 7:37 AM to 8:07 AM, 30 min, after 5 min of driving. Mow"',
  )
  expect(html.match(/tabindex="0"/g)).toHaveLength(1)
  expect(html).toMatch(/is-now[^>]*tabindex="0"/)
  expect(html).toContain('Read as a list')
})

test('a still strip is one picture with one text', () => {
  const html = renderToStaticMarkup(
    createElement(DayStrip, { stops, ariaLabel: 'Saved route', still: true, fitContent: true }),
  )
  expect(html).toContain('role="img"')
  expect(html).not.toContain('<button')
})
