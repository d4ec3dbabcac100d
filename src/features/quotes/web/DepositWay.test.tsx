import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { DepositWay } from './QuoteDialogs.tsx'

it.each([
  ['a deposit without card payments', { depositCents: 34_000, takesCards: false }, true],
  ['a deposit that is paid on the page', { depositCents: 34_000, takesCards: true }, false],
  ['no deposit', { depositCents: 0, takesCards: false }, false],
])('%s', (_, quote, told) => {
  show(<DepositWay quote={quote} />)
  expect(screen.queryByText(/is told to come to you for the \$340\.00/) !== null).toBe(told)
})
