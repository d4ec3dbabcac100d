import { expect, it } from 'vitest'
import { mapLink } from './navigate.ts'

const goal = { latitude: 32.06, longitude: -81.11, address: '132 Laurel Green Ct, Savannah' }
const unknown = { ...goal, latitude: null }
const words = '132%20Laurel%20Green%20Ct%2C%20Savannah'

it.each([
  ['iPhone', goal, 'https://maps.apple.com/?daddr=32.06,-81.11&dirflg=d'],
  ['iPhone', unknown, `https://maps.apple.com/?daddr=${words}&dirflg=d`],
  ['Android 15', goal, `geo:32.06,-81.11?q=32.06,-81.11(${words})`],
  ['Android 15', unknown, `geo:0,0?q=${words}`],
  ['X11; Linux', goal, 'https://www.google.com/maps/dir/?api=1&destination=32.06,-81.11'],
] as const)('opens the maps of %s', (agent, to, expected) => expect(mapLink(to, agent)).toBe(expected))
