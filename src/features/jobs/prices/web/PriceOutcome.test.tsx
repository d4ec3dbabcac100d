import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import type { PriceChangePreview } from '../contract.ts'
import { PriceOutcome } from './PriceOutcome.tsx'

const round = { serviceName: 'Fertilize', street: '348 Spartina Lane', beforeCents: 34500, afterCents: 35900 }
const preview = {
  jobs: 4,
  visits: 4,
  visitsBeforeCents: 0,
  visitsAfterCents: 0,
  beforeCents: 0,
  afterCents: 0,
  customers: [
    {
      customerId: 'c',
      name: 'Rebecca Odom',
      beforeCents: 0,
      afterCents: 0,
      lines: [1, 2, 3].map((n) => ({ ...round, lineId: `${n}` })).concat({ ...round, lineId: '4', afterCents: 36000 }),
    },
  ],
  customerCount: 1,
  own: [],
  ownCount: 0,
  ownVisits: 0,
} as unknown as PriceChangePreview

it('rounds that cost the same stand once, with how often', () => {
  show(<PriceOutcome preview={preview} stale={false} except={new Map()} onExcept={() => undefined} />)
  expect(screen.getAllByText(/348 Spartina Lane/).map((line) => line.textContent)).toEqual([
    'Fertilize, 348 Spartina Lane, 3 times: $345.00 → $359.00',
    'Fertilize, 348 Spartina Lane: $345.00 → $360.00',
  ])
})
