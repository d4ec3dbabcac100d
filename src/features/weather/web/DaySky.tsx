import { useState } from 'react'
import { type Day, formatDay } from '../../../shared/dates.ts'
import { IconDroplet } from '../../../ui/icons.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type WeatherDay, weatherApi } from '../contract.ts'
import { DayIcon, iconWords } from './DayIcon.tsx'
import { WetHoursDialog } from './WetHoursDialog.tsx'
import './weather.css'

/** The weather at the head of a day; pressed, its wet hours are marked. */
export const DaySky = ({ day, today, weather }: { day: Day; today: Day; weather: WeatherDay | undefined }) => {
  const may = useMay()
  const [open, setOpen] = useState(false)
  if (day < today || !may(weatherApi.mark)) return <DayIcon day={weather} />
  const words = weather && iconWords(weather)
  return (
    <>
      <button
        type="button"
        className="weather-sky"
        title={words ?? 'Mark wet hours'}
        aria-label={`Wet hours of ${formatDay(day)}${words ? `: ${words}` : ''}`}
        onClick={() => setOpen(true)}
      >
        {weather?.icon ? <DayIcon day={weather} /> : <IconDroplet size={14} aria-hidden="true" />}
      </button>
      {open ? <WetHoursDialog day={day} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
