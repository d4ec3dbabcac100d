import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewDayPlan, CrewStop } from '../contract.ts'
import { useRouteOnMap } from './RouteMap.tsx'

const stop = (id: string, latitude: number, status: CrewStop['status'] = 'scheduled') =>
  ({ id, street: `${id} St`, latitude, longitude: -81, status }) as CrewStop
const planOf = (...stops: CrewStop[]) => ({ stops }) as CrewDayPlan

it('a map of the day gets nothing new while nothing changes, and no new line by a tap', () => {
  const got: ReturnType<typeof useRouteOnMap>[] = []
  const Probe = ({ plan }: { plan: CrewDayPlan }) => {
    got.push(useRouteOnMap(plan, null))
    return null
  }
  const plan = planOf(stop('Oak', 32), stop('Elm', 32.1))
  const { rerender } = show(<Probe plan={plan} />)
  rerender(<Probe plan={plan} />)
  rerender(<Probe plan={planOf(stop('Oak', 32, 'completed'), stop('Elm', 32.1))} />)
  rerender(<Probe plan={planOf(stop('Elm', 32.1))} />)
  const [first, again, tapped, moved] = got
  expect([again?.pins === first?.pins, again?.lines === first?.lines]).toEqual([true, true])
  expect([tapped?.pins[0]?.state, tapped?.lines === first?.lines]).toEqual(['done', true])
  expect(moved?.lines[0]?.points).toEqual([{ lat: 32.1, lon: -81 }])
})
