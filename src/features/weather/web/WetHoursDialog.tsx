import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Day, formatDay, formatMinute } from '../../../shared/dates.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { type Weather, type WeatherDay, weatherApi } from '../contract.ts'
import { useMark, weatherQuery } from './data.ts'
import './weather.css'

type Props = { day: Day; onClose: () => void }

const hourLabel = (hour: number): string => formatMinute(hour * 60).replace(':00', '')

/** An hour before the shift to an hour after it, and whatever is marked outside. */
const shownHours = ({ work, mark }: WeatherDay): number[] =>
  Array.from({ length: 24 }, (_, hour) => hour).filter(
    (hour) =>
      (hour >= Math.floor(work.fromMinute / 60) - 1 && hour <= Math.ceil(work.toMinute / 60)) ||
      mark.hours?.includes(hour),
  )

const Source = ({ weather }: { weather: Weather }) =>
  weather.source === 'hand' ? (
    <p className="hint">No forecast is connected: what you mark here is all that Swath knows of the weather.</p>
  ) : weather.readAt ? (
    <p className="hint">
      Forecast of <RelativeTime at={weather.readAt} />.
      {weather.failed ? ' The weather service does not answer right now.' : ''}
    </p>
  ) : (
    <p className="hint">
      {weather.failed
        ? 'The weather service does not answer right now. Mark the hours by hand.'
        : 'The forecast is on its way.'}
    </p>
  )

const Fields = ({ day, weather, onClose }: Props & { weather: Weather & { one: WeatherDay } }) => {
  const { one } = weather
  const mark = useMark()
  const said = one.hours.filter(
    (h) => h.marked === null && one.wet.some((s) => h.hour * 60 < s.toMinute && h.hour * 60 + 60 > s.fromMinute),
  )
  const [hours, setHours] = useState<string[]>((one.mark.hours ?? said.map((h) => h.hour)).map(String))
  const save = (next: number[] | null, words: string) =>
    mark.mutate(
      { day, hours: next, version: one.mark.version },
      {
        onSuccess: () => {
          toast.success(words)
          onClose()
        },
        onError: (error) => toast.error(error),
      },
    )
  return (
    <div className="weather-hours">
      <Source weather={weather} />
      <FilterChips
        label={`Wet hours of ${formatDay(day)}`}
        values={hours}
        onChange={setHours}
        chips={shownHours(one).map((hour) => {
          const chance = one.hours.find((h) => h.hour === hour)?.chancePercent
          return {
            value: String(hour),
            label: (
              <>
                {hourLabel(hour)}
                {chance === null || chance === undefined ? null : (
                  <span className="num weather-hours__fact">{chance}%</span>
                )}
              </>
            ),
          }
        })}
      />
      <div className="weather-hours__foot">
        <span className="hint">Marked hours count instead of the forecast of rain.</span>
        {one.mark.hours ? (
          <Button
            kind="quiet"
            disabled={mark.isPending}
            onClick={() => save(null, weather.source === 'hand' ? 'Mark taken off' : 'The forecast counts again')}
          >
            {weather.source === 'hand' ? 'Take the mark off' : 'Use the forecast'}
          </Button>
        ) : null}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="primary"
          calls={weatherApi.mark}
          loading={mark.isPending}
          onClick={() =>
            save(
              hours.map(Number),
              hours.length === 0
                ? `${formatDay(day)} stays dry`
                : `${hours.length} wet ${hours.length === 1 ? 'hour' : 'hours'} marked`,
            )
          }
        >
          {hours.length === 0 ? 'Stays dry' : `Mark ${hours.length} wet ${hours.length === 1 ? 'hour' : 'hours'}`}
        </Button>
      </div>
    </div>
  )
}

/** The wet hours of a day, marked by hand. */
export const WetHoursDialog = ({ day, onClose }: Props) => {
  const found = useQuery(weatherQuery(day, 1))
  const one = found.data?.days.find((d) => d.day === day)
  return (
    <Dialog open onClose={onClose} title={`Wet hours of ${formatDay(day)}`}>
      {found.data && one && !found.isPlaceholderData ? (
        <Fields key={one.mark.version} day={day} weather={{ ...found.data, one }} onClose={onClose} />
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
      ) : (
        <Skeleton height={160} />
      )}
    </Dialog>
  )
}
