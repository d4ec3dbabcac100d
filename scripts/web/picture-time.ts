import { addDays, dayOf, instantAt, startOfWeek } from '../../src/shared/dates.ts'

// Pictures show a day in full swing. Whenever they are taken, the server and the browser believe that it is a Wednesday morning where the demo business is.
// Loaded before the server, this sets its time; the demo sets and resets the server's own clock while it writes its past.

const zone = 'America/New_York'
const RealDate = Date
const wednesday = addDays(startOfWeek(dayOf(new RealDate(), zone)), 9)
export const pictureTime = new RealDate(instantAt(wednesday, 9 * 60 + 50, zone))

export const shiftTime = (): void => {
  const shift = pictureTime.getTime() - RealDate.now()
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) =>
      given.length === 0
        ? new target(RealDate.now() + shift)
        : new target(...(given as ConstructorParameters<typeof Date>)),
    get: (target, key) => (key === 'now' ? () => RealDate.now() + shift : Reflect.get(target, key)),
  })
}
