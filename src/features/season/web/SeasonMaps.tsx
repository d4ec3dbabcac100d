import { useMemo, useState } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { MapView } from '../../../ui/MapView.tsx'
import type { MapPin } from '../../../ui/mapPins.ts'
import { englishMap } from '../../../ui/mapWords.ts'
import type { SeasonLawn, SeasonPlace, SeasonRun } from '../contract.ts'
import { shortDays, weekText } from '../rules.ts'
import { dayColor } from './words.ts'

type Result = NonNullable<SeasonRun['result']>
type Color = 'day' | 'crew'

const titles = ['Today', 'As planned', 'With the change']
/** Two maps stand side by side: each says which it is. */
const names = Object.fromEntries(titles.map((title) => [title, { ...englishMap, map: `Map, ${title.toLowerCase()}` }]))

const pinsOf = (result: Result, by: Color, pick: (lawn: SeasonLawn) => SeasonPlace): MapPin[] => {
  const crews = new Map(result.crews.map((crew) => [crew.id, crew]))
  return [
    ...result.crews.map((crew) => ({
      id: `depot-${crew.id}`,
      lat: crew.lat,
      lon: crew.lng,
      name: `${crew.name} starts here`,
      kind: 'depot' as const,
    })),
    ...result.lawns.map((lawn) => {
      const place = pick(lawn)
      const crew = crews.get(place.crewId)
      const week = weekText(place.week, lawn.everyWeeks)
      const days = [place.day, ...lawn.alsoOn].map((day) => shortDays[day]).join(' and ')
      const more = lawn.alsoOn.length > 0 ? '+' : ''
      return {
        id: lawn.jobId,
        lat: lawn.lat,
        lon: lawn.lng,
        label: by === 'day' ? `${(shortDays[place.day] ?? '').slice(0, 2)}${more}` : (crew?.name ?? '?').slice(0, 2),
        name: `${lawn.street}, ${lawn.customerName}: ${days}${week ? `, ${week}` : ''}, ${crew?.name ?? 'a crew'}`,
        color: by === 'day' ? dayColor(place.day) : (crew?.color ?? 'var(--crew-8)'),
      }
    }),
  ]
}

/** Every lawn before and after, by the color of its day or of its crew. */
export const SeasonMaps = ({ result, whatIf }: { result: Result; whatIf: boolean }) => {
  const [by, setBy] = useState<Color>('day')
  const before = useMemo(() => pinsOf(result, by, (lawn) => lawn.from), [result, by])
  const after = useMemo(() => pinsOf(result, by, (lawn) => lawn.to), [result, by])
  return (
    <Card
      title="Where the days lie"
      actions={
        <FilterChips
          single
          label="Color the map by"
          chips={[
            { value: 'day', label: 'By day' },
            { value: 'crew', label: 'By crew' },
          ]}
          values={[by]}
          onChange={([next]) => setBy(next ?? by)}
        />
      }
    >
      <div className="season-maps">
        {(
          [
            ['Today', before],
            [whatIf ? 'With the change' : 'As planned', after],
          ] as const
        ).map(([title, pins]) => (
          <figure key={title}>
            <figcaption>{title}</figcaption>
            <MapView
              words={names[title] ?? englishMap}
              cooperative
              height={360}
              label={`${title}: ${result.lawns.length} lawns by ${by}`}
              pins={pins}
              fitKey={result.lawns.length}
            />
          </figure>
        ))}
      </div>
    </Card>
  )
}
