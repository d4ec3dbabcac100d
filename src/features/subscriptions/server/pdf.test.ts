import { expect, it } from 'vitest'
import { papers, readPdf } from '../../../test/papers.ts'

it('our own invoice says what was bought, the tax, what was paid, and the day where the business is', async () => {
  expect(await readPdf(await papers['subscription-invoice']())).toEqual([
    [
      'Swath Invoice SW-0007',
      'help@swath.example',
      '(555) 010-0142',
      'Billed to',
      'Green Valley Lawn Care',
      '88 Depot Road',
      'Austin, TX 78701',
      'Date: Saturday, March 7, 2026',
      'Pro, monthly $99.00',
      'Sales tax $8.17',
      'Total $107.17',
      'Paid $107.17',
    ],
  ])
})

it('one of a test says so, and one that is open what is left', async () => {
  const [page, ...more] = await readPdf(await papers['subscription-test-invoice']())
  const words = page?.join(' ') ?? ''
  expect(more).toEqual([])
  expect(words).toMatch(/^Swath Invoice SW-0008 TEST – no card was charged/)
  expect(words).toContain(
    'Nguyễn Thị Hồng Đào & Łukasz Müller-Søndergård Lawns of Yore and Daughters of the Hill Country',
  )
  expect(words).toMatch(
    /Discount and credit -\$19\.00 Sales tax \$8\.17 Total \$88\.17 Paid \$0\.00 Balance due \$88\.17$/,
  )
})
