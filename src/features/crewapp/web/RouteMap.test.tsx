import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { useRouteOnMap } from './RouteMap.tsx'

const stop = (id: string, latitude: number, status: CrewStop['status'] = 'scheduled') =>
  ({ id, street: `${id} St`, latitude, longitude: -81, status }) as CrewStop
const planOf = (...stops: CrewStop[]) => ({ stops }) as CrewDayPlan

type Got = ReturnType<typeof useRouteOnMap>[]
const Probe = ({ plan, got }: { plan: CrewDayPlan; got: Got }) => {
  got.push(useRouteOnMap(plan, null))
  return null
}

it('the depot is on the map, and the line begins and ends there', () => {
  const got: Got = []
  const plan = { ...planOf(stop('Oak', 32), stop('Elm', 32.1)), crew: { depot: { latitude: 31.9, longitude: -81.2 } } }
  show(<Probe got={got} plan={plan as CrewDayPlan} />)
  const [{ pins, lines } = { pins: [], lines: [] }] = got
  expect(pins.map(({ id, kind }) => [id, kind])).toEqual([
    ['depot', 'depot'],
    ['Oak', undefined],
    ['Elm', undefined],
  ])
  const home = { lat: 31.9, lon: -81.2 }
  expect([lines[0]?.points[0], lines[0]?.points.at(-1)]).toEqual([home, home])
})

it('a map of the day gets nothing new while nothing changes, and no new line by a tap', () => {
  const got: Got = []
  const plan = planOf(stop('Oak', 32), stop('Elm', 32.1))
  const { rerender } = show(<Probe got={got} plan={plan} />)
  rerender(<Probe got={got} plan={plan} />)
  rerender(<Probe got={got} plan={planOf(stop('Oak', 32, 'completed'), stop('Elm', 32.1))} />)
  rerender(<Probe got={got} plan={planOf(stop('Elm', 32.1))} />)
  const [first, again, tapped, moved] = got
  expect([again?.pins === first?.pins, again?.lines === first?.lines]).toEqual([true, true])
  expect([tapped?.pins[0]?.state, tapped?.lines === first?.lines]).toEqual(['done', true])
  expect(moved?.lines[0]?.points).toEqual([{ lat: 32.1, lon: -81 }])
})
