import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FileDrop } from './FileDrop.tsx'
import { show } from './testing/show.tsx'

const megabyte = 1024 * 1024
const file = (name: string, bytes: number) => new File([new Uint8Array(bytes)], name, { type: 'text/csv' })

const opened = (error?: string) => {
  const taken: string[] = []
  show(
    <FileDrop
      label="Your list"
      accept=".csv"
      maxBytes={2 * megabyte}
      error={error}
      onFiles={(files) => taken.push(...files.map(({ name }) => name))}
    />,
  )
  const drop = (dropped: File) => fireEvent.change(screen.getByLabelText('Your list'), { target: { files: [dropped] } })
  return { taken, drop }
}

it.each([
  ['list.pdf', 10, 'list.pdf is not a kind of file we can read here (.csv).'],
  ['big.csv', 3 * megabyte, 'big.csv is 3.0 MB; the most is 2 MB.'],
])('%s of %i bytes is refused in its own words, not in those about the file before', (name, bytes, words) => {
  const { taken, drop } = opened('This list has no columns.')
  drop(file(name, bytes))
  expect(screen.getByText(words)).toBeTruthy()
  expect(screen.queryByText('This list has no columns.')).toBeNull()
  expect(taken).toEqual([])
})

it('what fits is taken up to the size that is promised', () => {
  const { taken, drop } = opened()
  drop(file('list.csv', 2 * megabyte))
  expect(taken).toEqual(['list.csv'])
})
