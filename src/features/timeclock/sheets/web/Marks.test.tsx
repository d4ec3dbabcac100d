import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import { exceptionLabel } from '../rules.ts'
import { Marks } from './Marks.tsx'

const sheet = {
  request: 'I began earlier.',
  isRunning: true,
  exceptions: (['overlap', 'long_break', 'overlap'] as const).map((kind) => ({
    kind,
    day: '2026-06-12',
    entryId: null,
  })),
}

it('a row of the table has one line for marks: what somebody waits for, and how many more', () => {
  const { container } = show(<Marks sheet={sheet} most={1} />)
  expect(container.querySelectorAll('.ui-badge')).toHaveLength(1)
  screen.getByText('Asks')
  expect(screen.getByText(/^\+/).textContent).toMatch(/^\+3 more: .*On the clock$/)
})

it('where there is room all of them stand there, each kind once', () => {
  const { container } = show(<Marks sheet={sheet} />)
  expect(container.querySelectorAll('.ui-badge')).toHaveLength(4)
  screen.getByText(exceptionLabel.overlap)
})
