/** What a map says; the crew app brings its own, in the language of the phone. */
export type MapWords = {
  map: string
  satellite: string
  noStreets: string
  noSatellite: string
  undrawn: string
  places: string
  twoFingers: string
  /** With the key that is named Ctrl. */
  scroll: string
  zoomIn: string
  zoomOut: string
  credits: string
  /** Below our own map, which is drawn where there are no streets. */
  borders: string
}

export const englishMap: MapWords = {
  map: 'Map',
  satellite: 'Satellite',
  noStreets: 'Streets are not available right now. Your places are all here.',
  noSatellite: 'Satellite pictures are not available right now. Your places are all here.',
  undrawn: 'The map cannot be drawn on this device. The places are listed here.',
  places: 'Places on the map',
  twoFingers: 'Use two fingers to move the map',
  scroll: 'Use Ctrl + scroll to zoom the map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  credits: 'Where the map is from',
  borders: 'Borders: U.S. Census Bureau (us-atlas). Squares are a mile.',
}

/** The same as the library that draws the map asks for them. */
export const drawnWords = ({
  map,
  twoFingers,
  scroll,
  zoomIn,
  zoomOut,
  credits,
}: MapWords): Record<string, string> => ({
  'Map.Title': map,
  'CooperativeGesturesHandler.MobileHelpText': twoFingers,
  'CooperativeGesturesHandler.WindowsHelpText': scroll,
  'CooperativeGesturesHandler.MacHelpText': scroll.replace('Ctrl', '⌘'),
  'NavigationControl.ZoomIn': zoomIn,
  'NavigationControl.ZoomOut': zoomOut,
  'AttributionControl.ToggleAttribution': credits,
})
