/** Pictures in squares: one layer of what the earth looks like from above. */
export type MapPictures = { url: string; tileSize: number; minZoom: number; maxZoom: number; attribution: string }

/** What the maps of this server are drawn with; the browser asks for it when it first draws one. */
export type MapSettings = {
  /** A MapLibre style, a TileJSON or a PMTiles archive; null: the plain map. */
  streets: { kind: 'address' | 'pmtiles'; url: string } | null
  /** From above: layers over each other, the last one sharpest, or Google, which opens a session first. null: no such map. */
  satellite: { kind: 'tiles'; layers: MapPictures[] } | { kind: 'google'; url: string; key: string } | null
}

/** Somebody outside whom a browser asks when it draws a map. */
export type MapService = { name: string; hosts: readonly string[]; shows: 'streets' | 'pictures' }

export const mapSettingsPath = '/api/maps'
/** For who is not signed in: the page of a business. */
export const visitorMapSettingsPath = '/api/public/maps'
