import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { PriceTest } from './PriceTest.tsx'

it.each(['-500', '0'])('a lawn of %s sq ft gets words instead of a price', async (typed) => {
  const { user } = show(
    <PriceTest
      measuredBy="lawn"
      unit="visit"
      priceRule={{
        minCents: 1000,
        sizeAtMinSquareFeet: 0,
        tiers: [{ upToSquareFeet: null, centsPerKsqft: 500 }],
        frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
        difficultyPercent: [100, 100, 100, 100, 100],
        firstCutPercent: 100,
        roundToCents: 100,
      }}
      timeRule={{
        fixedMinutes: 30,
        minutesPerKsqft: 0,
        minutesPerUnit: 0,
        difficultyPercent: [100, 100, 100, 100, 100],
      }}
    />,
  )
  const size = screen.getByRole('textbox', { name: 'Lawn size' })
  await user.clear(size)
  await user.type(size, typed)
  await user.tab()
  expect(screen.getByText('More than 0 sq ft are needed for a price.')).toBeTruthy()
  expect(screen.getByText('No price')).toBeTruthy()
})
