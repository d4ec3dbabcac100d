/** What the day shows where there is room for one thing only. */
export type View = 'stops' | 'due' | 'map'
