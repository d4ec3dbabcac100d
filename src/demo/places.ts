/** Invented streets around Savannah, Georgia: neighborhoods on dry land, each with a few streets that do not exist. */

type Neighborhood = {
  name: string
  latitude: number
  longitude: number
  zip: string
  streets: readonly string[]
  crew: string
  bearing: number
}

const neighborhoods: readonly Neighborhood[] = [
  {
    name: 'Ardsley',
    latitude: 32.047,
    longitude: -81.097,
    zip: '31405',
    streets: ['Thornbury Row', 'Camellia Bend', 'Old Mill Walk'],
    crew: 'North crew',
    bearing: 0.2,
  },
  {
    name: 'Baldwin',
    latitude: 32.056,
    longitude: -81.089,
    zip: '31401',
    streets: ['Fernwick Street', 'Palmetto Gate', 'Lantern Lane'],
    crew: 'North crew',
    bearing: 1.6,
  },
  {
    name: 'Liberty',
    latitude: 32.043,
    longitude: -81.121,
    zip: '31405',
    streets: ['Harrow Street', 'Quail Hollow Way', 'Birchmere Road'],
    crew: 'North crew',
    bearing: 0.9,
  },
  {
    name: 'Hampstead',
    latitude: 32.006,
    longitude: -81.101,
    zip: '31406',
    streets: ['Wisteria Court', 'Bellhaven Drive', 'Sugarberry Lane'],
    crew: 'Midtown',
    bearing: 0.1,
  },
  {
    name: 'Windsor',
    latitude: 31.988,
    longitude: -81.143,
    zip: '31419',
    streets: ['Tarragon Way', 'Bramble Court', 'Sparrow Mill Road'],
    crew: 'Midtown',
    bearing: 1.2,
  },
  {
    name: 'Berkeley',
    latitude: 31.993,
    longitude: -81.168,
    zip: '31419',
    streets: ['Laurel Spur', 'Cypress Knee Drive', 'Old Canal Lane'],
    crew: 'Midtown',
    bearing: 0.6,
  },
  {
    name: 'Whitemarsh',
    latitude: 32.034,
    longitude: -81.006,
    zip: '31410',
    streets: ['Heron Watch', 'Oystershell Road', 'Pelican Cut'],
    crew: 'Islands',
    bearing: 0.8,
  },
  {
    name: 'Wilmington',
    latitude: 32.004,
    longitude: -80.985,
    zip: '31410',
    streets: ['Spartina Lane', 'Tern Landing', 'Dockside Walk'],
    crew: 'Islands',
    bearing: 1.4,
  },
  {
    name: 'Talahi',
    latitude: 32.021,
    longitude: -80.963,
    zip: '31410',
    streets: ['Saltgrass Way', 'Bluff View Court'],
    crew: 'Islands',
    bearing: 0.3,
  },
]

export type Place = {
  street: string
  city: string
  state: string
  zip: string
  latitude: number
  longitude: number
  crew: string
  neighborhood: string
}

export const depot = { street: '4 Yardman Way', latitude: 32.0265, longitude: -81.0905 }

/** The nth invented address: houses stand along a line through their neighborhood. `jitter` gives 0 to 1. */
export const placeOf = (n: number, jitter: () => number): Place => {
  const area = neighborhoods[n % neighborhoods.length]!
  const street = area.streets[Math.floor(n / neighborhoods.length) % area.streets.length]!
  const along = (jitter() - 0.5) * 0.016
  const across = (area.streets.indexOf(street) - 1) * 0.004 + (jitter() - 0.5) * 0.0012
  return {
    street: `${100 + Math.floor(jitter() * 240) * 2 + (n % 2)} ${street}`,
    city: 'Savannah',
    state: 'GA',
    zip: area.zip,
    latitude: Number((area.latitude + along * Math.cos(area.bearing) - across * Math.sin(area.bearing)).toFixed(6)),
    longitude: Number((area.longitude + along * Math.sin(area.bearing) + across * Math.cos(area.bearing)).toFixed(6)),
    crew: area.crew,
    neighborhood: area.name,
  }
}
