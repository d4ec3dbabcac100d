import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../shared/counted.ts'
import { addDays, type Day } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button, type ButtonProps } from '../../../ui/Button.tsx'
import { IconCloudRain, IconTemperature, IconWind } from '../../../ui/icons.ts'
import { useMay } from '../../accounts/web/session.ts'
import { type Weather, type WeatherDay, weatherApi } from '../contract.ts'
import { dayWords, rainWords, spanWords } from '../rules.ts'
import { weatherQuery } from './data.ts'
import { WetHoursDialog } from './WetHoursDialog.tsx'
import './weather.css'

const treatmentWords = (day: WeatherDay): string[] => [
  ...(day.windyTreatments > 0 ? [`${counted(day.windyTreatments, 'treatment')} in wind, ${spanWords(day.windy)}`] : []),
  ...(day.hotTreatments > 0 ? [`${counted(day.hotTreatments, 'treatment')} in heat, ${spanWords(day.hot)}`] : []),
]

/** Days of the next 48 hours on which something is to be lost. */
const troubled = ({ days }: Weather): WeatherDay[] =>
  days.filter(
    (day) => day.soon && ((day.suggests && day.openVisits > 0) || day.windyTreatments + day.hotTreatments > 0),
  )

type Props = {
  /** Only this day, where a screen shows one. */
  day?: Day
  /** Instead of the way to the route map, where one is there already. */
  preview?: Pick<ButtonProps, 'calls' | 'onClick'>
}

const OneDay = ({
  day,
  weather,
  preview,
  onHours,
}: { day: WeatherDay; weather: Weather; onHours: () => void } & Pick<Props, 'preview'>) => {
  const may = useMay()
  const name = dayWords(day.day, weather.today, addDays(weather.today, 1))
  const treatments = treatmentWords(day)
  const rain = day.suggests && day.openVisits > 0
  const old = weather.failed && weather.source === 'service'
  return (
    <Banner
      tone={rain ? 'warn' : 'info'}
      icon={
        rain ? (
          <IconCloudRain size={19} />
        ) : day.hotTreatments > 0 ? (
          <IconTemperature size={19} />
        ) : (
          <IconWind size={19} />
        )
      }
      title={`${name}: ${rain ? rainWords(day) : treatments.join('; ')}`}
      action={
        <>
          {may(weatherApi.mark) ? (
            <Button size="s" kind="quiet" onClick={onHours}>
              Wet hours
            </Button>
          ) : null}
          {!rain ? (
            <Button size="s" href={linkTo.routeDay(day.day)}>
              Open the day
            </Button>
          ) : preview ? (
            <Button size="s" kind="primary" {...preview}>
              Preview the push
            </Button>
          ) : (
            <Button size="s" kind="primary" href={linkTo.routeDay(day.day, { rain: 'push' })}>
              Preview the push
            </Button>
          )}
        </>
      }
    >
      {rain ? treatments.join('; ') : null}
      {old ? ' The weather service does not answer right now; this is its last forecast.' : null}
    </Banner>
  )
}

/** What the next 48 hours take from the crews, with one click to what can be done. A screen without it is whole. */
export const WeatherBanner = ({ day, preview }: Props) => {
  const may = useMay()
  const { data } = useQuery({ ...weatherQuery(), enabled: may(weatherApi.get) })
  const [marking, setMarking] = useState<Day | null>(null)
  if (!data) return null
  const days = troubled(data).filter((one) => day === undefined || one.day === day)
  return (
    <>
      {days.length > 0 ? (
        <section className="weather-banners" aria-label="Weather ahead">
          {days.map((one) => (
            <OneDay
              key={one.day}
              day={one}
              weather={data}
              onHours={() => setMarking(one.day)}
              {...(preview ? { preview } : {})}
            />
          ))}
        </section>
      ) : null}
      {marking ? <WetHoursDialog day={marking} onClose={() => setMarking(null)} /> : null}
    </>
  )
}
