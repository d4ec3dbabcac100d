import type { Place } from './filter.ts'

/** Columns of the list that a person asks for, in the address and so in a view: "email" and custom fields by their id. */
export const columnsKey = 'cols'
export const mostColumns = 8
/** In place of columns: none, also where this browser remembers some. */
const noColumns = 'none'
const remembered = 'swath.customers.columns'

const read = (): string => {
  try {
    return localStorage.getItem(remembered) ?? ''
  } catch {
    return ''
  }
}

/** The columns that are shown besides the usual ones: those of the address, else those that were last chosen in this browser. */
export const useExtraColumns = (place: Pick<Place, 'params' | 'change'>) => {
  const text = place.params.get(columnsKey) ?? read()
  const shown = text === noColumns ? [] : text.split('_').filter(Boolean).slice(0, mostColumns)
  return {
    shown,
    show: (columns: readonly string[]) => {
      const next = columns.length > 0 ? columns.join('_') : noColumns
      try {
        localStorage.setItem(remembered, next)
      } catch {
        // a browser that keeps nothing shows them as long as the address says so
      }
      place.change({ [columnsKey]: next }, { replace: true })
    },
  }
}
