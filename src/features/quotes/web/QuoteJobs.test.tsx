import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { QuoteJobs } from './QuoteJobs.tsx'

const job = { id: '01a202c7-f2af-717a-8cad-ef17944daad1', number: 11, title: 'Mulch', status: 'active' }

it('names all jobs that a quote became', () => {
  const other = { ...job, id: '01a202c7-f2af-717a-8cad-ef17944daad2', number: 12, title: 'Round 1', status: 'canceled' }
  const { container } = show(<QuoteJobs jobs={[job, other]} />)
  expect(screen.getByRole('link', { name: '#11 Mulch' }).getAttribute('href')).toContain(job.id)
  expect(container.textContent).toContain('#12 Round 1canceled')
})

it('leaves one to its button', () => {
  expect(show(<QuoteJobs jobs={[job]} />).container.querySelector('section')).toBeNull()
})
