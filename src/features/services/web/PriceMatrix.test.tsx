import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '#src/ui/testing/show.tsx'
import { defaultServices } from '../defaults/rules.ts'
import { priceFor } from '../rules.ts'
import { PriceMatrix } from './PriceMatrix.tsx'

const mow = defaultServices.find(({ code }) => code === 'mow')?.priceRule
if (!mow) throw new Error('no mowing')

const Held = () => {
  const [rule, setRule] = useState(mow)
  return (
    <>
      <PriceMatrix measuredBy="lawn" priceRule={rule} unit="visit" onChange={setRule} />
      <output>{priceFor(rule, { measuredBy: 'lawn', size: 10_000, difficulty: 1, frequency: 'weekly' }).cents}</output>
    </>
  )
}

test('a price typed for a lawn is what the rule then asks, and one that is less than a smaller lawn is refused', async () => {
  const { user } = show(<Held />)
  await user.click(screen.getByText('Price matrix by lawn size'))
  const field = screen.getByRole('textbox', { name: 'Price of 10,000 sq ft' })
  await user.clear(field)
  await user.type(field, '62')
  await user.tab()
  expect(screen.getByRole('status').textContent).toBe('6200')
  await user.clear(field)
  await user.type(field, '2')
  await user.tab()
  await screen.findByText('A larger size never costs less than the one before.')
  expect(screen.getByRole('status').textContent).toBe('6200')
})
