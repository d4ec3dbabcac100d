import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { formatDay } from '../../../shared/dates.ts'
import { show } from '../../../ui/testing/show.tsx'
import type { BatchPreview } from '../contract.ts'
import { BatchExceptions } from './BatchExceptions.tsx'

const left = (count: number): BatchPreview['exceptions'] =>
  Array.from({ length: count }, (_, i) => ({
    visitId: `v${i}`,
    jobId: 'j',
    day: `2026-06-${String(i + 1).padStart(2, '0')}`,
    customer: { id: 'c', name: 'Rebecca Odom' },
    place: '1 Oak St',
    services: 'Mow',
    reason: 'not_per_visit',
    message: 'The job is billed by contract.',
  }))

describe('visits left out', () => {
  it('are counted and named where all of them are listed', async () => {
    const { user, container } = show(<BatchExceptions exceptions={left(3)} more={false} />)
    await user.click(screen.getByRole('button', { name: /^3 visits are left out/ }))
    expect(container.textContent).toContain('3 visits are left out: 3 billed by contract')
    expect(container.textContent).toContain(`3 visits · ${formatDay('2026-06-01')} to ${formatDay('2026-06-03')}`)
    expect(container.textContent).not.toContain('Not all of them')
  })

  it('say that there are more than are listed, and which ones these are', async () => {
    const { user, container } = show(<BatchExceptions exceptions={left(20)} more />)
    await user.click(screen.getByRole('button', { name: /^More than 20 visits are left out/ }))
    expect(container.textContent).toContain('20 or more billed by contract')
    expect(container.textContent).toContain('20 or more visits · ')
    expect(container.textContent).toContain('the newest 20 of a job, up to 500 in all')
  })
})
