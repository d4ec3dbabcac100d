import { IconCloudRain, IconSun, IconTemperature, IconWind } from '../../../ui/icons.ts'
import type { WeatherDay } from '../contract.ts'
import { spanWords } from '../rules.ts'
import './weather.css'

const pictures = { rain: IconCloudRain, wind: IconWind, heat: IconTemperature, dry: IconSun } as const

/** What the picture of a day says. */
export const iconWords = (day: Pick<WeatherDay, 'icon' | 'wet' | 'windy' | 'hot'>): string | null => {
  if (day.icon === 'rain') return `rain ${spanWords(day.wet)}`
  if (day.icon === 'heat') return `heat ${spanWords(day.hot)}`
  if (day.icon === 'wind') return `wind ${spanWords(day.windy)}`
  return day.icon === 'dry' ? 'dry' : null
}

/** The weather of a day beside its name; nothing where nothing is known. */
export const DayIcon = ({ day, size = 16 }: { day: WeatherDay | undefined; size?: number }) => {
  const words = day && iconWords(day)
  if (!day?.icon || !words) return null
  const Picture = pictures[day.icon]
  return (
    <span className={`weather-icon is-${day.icon}`} title={words}>
      <Picture size={size} aria-hidden="true" />
      <span className="ui-hidden">, {words}</span>
    </span>
  )
}
