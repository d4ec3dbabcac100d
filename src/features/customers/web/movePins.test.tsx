import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { MapPlaces } from '../../../ui/MapPlaces.tsx'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { useMovePins } from './movePins.ts'

const aPin = (id: string, street: string) => ({
  id,
  customerId: '01a202c7-f2af-717a-8cad-ef17944daad2',
  name: 'Ann Lee',
  street,
  latitude: 32,
  longitude: -81,
  quality: 'manual' as const,
  nextVisitDay: null,
  version: 1,
})
const pins = [aPin('oak', '12 Oak St'), aPin('elm', '9 Elm St')]
const step = 0.0005
/** For what passes in milliseconds, on a busy machine. */
const within = { timeout: 10_000 }

const Pins = () => {
  const moving = useMovePins(pins, () => undefined)
  return (
    <>
      <MapPlaces
        name="Places"
        shown
        onKeyed={() => undefined}
        pins={moving.pins.map(({ id, street, latitude, longitude }) => ({
          id,
          name: street,
          lat: latitude,
          lon: longitude,
        }))}
        onPinDrag={moving.move}
      />
      <ToastHost />
    </>
  )
}

/** A server that takes only the version that stands, and answers nothing before it is let. */
const opened = () => {
  const versions: Record<string, number> = { oak: 1, elm: 1 }
  const sent: { id: string; latitude: number }[] = []
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  answerWith(async (request) => {
    const id = new URL(request.url).pathname.split('/').find((part) => part in versions) ?? ''
    const { version, latitude } = (await request.json()) as { version: number; latitude: number }
    await held
    if (version !== versions[id])
      return { status: 409, body: { code: 'version_conflict', message: 'Somebody else changed it.' } }
    versions[id] = version + 1
    sent.push({ id, latitude })
    return { body: { id, version: version + 1 } }
  })
  return { ...show(<Pins />), sent, answer }
}
const up = '{Shift>}{ArrowUp}{/Shift}'

it('a pin that is moved step by step arrives where the last step put it, in the fewest changes', async () => {
  const { user, sent, answer } = opened()
  screen.getByRole('button', { name: '12 Oak St' }).focus()
  await user.keyboard(up.repeat(4))
  answer()
  await screen.findByText('12 Oak St is where you put it', undefined, within)
  await waitFor(
    () =>
      expect(sent.map(({ latitude }) => latitude)).toEqual([
        expect.closeTo(32 + step, 6),
        expect.closeTo(32 + 4 * step, 6),
      ]),
    within,
  )
  expect(screen.queryByText('Somebody else changed it.')).toBeNull()

  await user.click(await screen.findByRole('button', { name: 'Undo' }, within))
  await waitFor(() => expect(sent.at(-1)?.latitude).toBe(32), within)
  screen.getByRole('button', { name: '12 Oak St' }).focus()
  await user.keyboard(up)
  await waitFor(() => expect(sent.at(-1)?.latitude).toBeCloseTo(32 + step, 6), within)
})

it('two pins moved at once both say so', async () => {
  const { user, sent, answer } = opened()
  const before = screen.queryAllByText('12 Oak St is where you put it').length
  for (const street of ['12 Oak St', '9 Elm St']) {
    screen.getByRole('button', { name: street }).focus()
    await user.keyboard(up)
  }
  answer()
  await waitFor(
    () => expect(screen.getAllByText('12 Oak St is where you put it').length).toBeGreaterThan(before),
    within,
  )
  await screen.findByText('9 Elm St is where you put it', undefined, within)
  expect(sent.map(({ id }) => id).toSorted()).toEqual(['elm', 'oak'])
})

it('a move that somebody else was ahead of goes back to where the pin was', async () => {
  const { user, answer } = opened()
  answerWith(() => ({ status: 409, body: { code: 'version_conflict', message: 'Somebody else changed it.' } }))
  answer()
  screen.getByRole('button', { name: '12 Oak St' }).focus()
  await user.keyboard(up)
  await screen.findByText('Somebody else changed it.')
})
