"""Exercises and everyday movements as people do them, as angles of a jointed figure.

One line a kind: name | base posture and what differs from it | key postures | sides | seconds a repetition. Angles are in
degrees, lengths in hundredths of the body's height. A movement goes from the base through its key postures and back.
Of the body: pi (pelvis leans forward), ro (to the side), ya (turns), sp (spine bends), si (to the side), tw (twists), nd
(nods), tn (turns the head), up, mx, mz (moved upwards, sideways, ahead). Of each limb: hf, ha, hr (hip flexed, abducted,
rotated), kn (knee flexed), sf, sa, st (shoulder flexed, abducted, rotated outwards), el (elbow flexed), sh (shrugged).
A third letter says which: l, r, b for both; without one: those whose turn it is, and `o` the others.
Sides: b both at once, a in turn (each side is a repetition), o one side only; several letters: any of them.
"""
import re
import numpy as np

BODY = "pi ro ya sp si tw nd tn up mx mz".split()
LIMB = "hf ha hr kn sf sa st el sh".split()
ANCHORS = "feet hands hips knees toes".split()
COLUMNS = BODY + [limb + side for side in "lr" for limb in LIMB] + ANCHORS
AT = {name: index for index, name in enumerate(COLUMNS)}
LENGTHS = [AT[name] for name in ("up", "mx", "mz", "shl", "shr")]
MIRROR = np.array([AT[name[:-1] + {"l": "r", "r": "l"}[name[-1]]] if name[:-1] in LIMB and name not in BODY else index for index, name in enumerate(COLUMNS)])
SIGNS = np.array([-1.0 if name in ("ro", "ya", "si", "tw", "tn", "mx") else 1.0 for name in COLUMNS])
BASES = {"stand": "feet", "seated": "hips hfb85 knb85", "longsit": "hips hfb90 knb10", "supine": "hips pi-88", "crook": "hips pi-88 hfb45 knb95", "prone": "hips pi88",
         "plank": "toes pi66 sfb90", "elbows": "toes pi80 sfb95 elb90", "kneel": "knees knb90", "fours": "knees pi82 hfb82 knb82 sfb85", "side": "hips ro88 hfb10 knb15",
         "hang": "hands sfb172 sab10", "invert": "hands pi180 sfb172", "bent": "feet pi60 hfb75 knb25", "bench": "hips pi-85 hfb40 knb85", "incline": "hips pi-45 hfb60 knb80",
         "split": "feet hfl25 hfr-20 knr25", "half": "knees hfl90 knl90 knr90", "dips": "hands sfb-15 elb5 hfb10 knb60", "lean": "feet pi25 hfb40 knb25"}

EXERCISES = """
squat | stand | pi28 hf100 kn105 sf60 | b | 1.2-4.5
squat arms ahead | stand sfb85 | pi32 hf110 kn115 | b | 1.2-4
half squat | stand | pi15 hf50 kn55 | b | 0.8-3
back squat | stand sab45 elb135 stb60 | pi35 hf110 kn110 | b | 1.8-5
front squat | stand sfb80 elb140 | pi18 hf105 kn118 | b | 1.8-5
goblet squat | stand sfb35 elb125 | pi22 hf108 kn115 | b | 1.5-4.5
sumo squat | stand hab25 hrb20 sfb20 | pi15 hf75 kn85 ha40 | b | 1.5-4
overhead squat | stand sab165 | pi30 hf105 kn110 | b | 2-5
jump squat | stand | pi32 hf85 kn95 sf-30 > up18 sf60 kn5 | b | 0.8-2
pistol squat | stand sfb70 | pi35 hf120 kn125 hfo60 kno5 | oa | 2-5
split squat | split | pi8 hfl85 knl90 hfr-5 knr95 | b | 1.5-4
wall sit slide | stand | hf88 kn88 | b | 2-6
box squat | stand sfb40 | pi30 hf90 kn90 mz-10 | b | 1.8-4.5
lunge | stand | hf75 kn85 hfo-20 kno80 mz15 | ao | 1.5-4
reverse lunge | stand | hf-15 kn95 hfo80 kno85 mz-15 | ao | 1.5-4
walking lunge | stand | hf75 kn85 hfo-20 kno85 mz25 > mz50 hf20 kn20 | at | 1.3-3.5
side lunge | stand | pi30 hf85 kn90 hao35 ha30 mx12 | ao | 1.5-4
curtsy lunge | stand sfb60 elb110 | hf60 kn75 hfo-5 kno85 hao-15 | ao | 1.5-4
skipping lunge | split | up10 > hfl-20 knl25 hfr25 knr5 > up10 hfl10 hfr10 | b | 0.7-2
push-up | plank | pi15 sf-72 sa50 el100 | b | 0.9-4
knee push-up | knees pi62 hfb10 knb100 sfb85 | pi16 sf-70 sa45 el95 | b | 1-4
wide push-up | plank sab30 | pi14 sf-60 sa55 el85 | b | 1-4
pike push-up | toes pi115 hfb75 sfb165 | pi10 el85 sf-40 sa25 | b | 1.2-4
wall push-up | toes pi14 sfb85 | pi12 sf-50 sa30 el85 | b | 1.2-4
incline push-up | toes pi40 sfb85 | pi14 sf-65 sa40 el95 | b | 1-3.5
clap push-up | plank | pi15 sf-70 sa50 el100 > up8 sf5 | b | 0.9-2
sit-up | crook sfb60 elb130 | pi75 hf30 sp25 | b | 1.3-4
full sit-up | supine sfb170 | pi88 hf88 sf-80 sp20 | b | 1.6-4.5
crunch | crook sab60 elb140 stb60 | sp35 nd15 | b | 0.9-3
reverse crunch | supine hfb80 knb80 | pi-20 hf35 kn20 | b | 1-3
V-up | supine sfb170 | pi45 hf85 sf-70 sp20 | b | 1.3-3.5
leg raise | supine | hf85 | b | 1.3-4.5
one leg raise | supine knb5 | hf70 | oa | 1.3-4
flutter kick | supine hfb18 | hf20 hfo-10 | a | 0.3-1
scissor kick | supine hfb25 | ha25 | b | 0.5-1.5
bicycle crunch | supine hfb35 knb30 sab60 elb140 stb60 sp25 | hf70 kn80 tw35 | a | 0.6-2
heel touch | crook sp25 | si22 | a | 0.6-2
knee tuck seated | longsit pi-35 hfb-45 | pi15 hf45 kn100 | b | 1-2.5
Russian twist | longsit pi-30 knb70 hfb20 sfb60 elb60 | tw45 tn20 | a | 0.6-2.2
bridge | crook | pi-22 hf-65 up9 | b | 1.2-4
hip thrust | hips pi-45 hfb90 knb90 | pi-38 hf-85 up12 | b | 1.3-4
one leg bridge | crook hfr40 | pi-20 hfl-60 up9 | b | 1.3-4
superman | prone sfb170 | sp-28 hf-18 sf12 | b | 1.2-4
back extension | toes pi85 sab60 elb130 | pi-65 hf-65 | b | 1.5-4
swimmer | prone sfb170 sp-15 | sf15 hfo-20 | a | 0.5-1.5
prone leg curl | prone | kn115 | boa | 1-3.5
bird dog | fours | sf85 hfo-75 kno-75 | ao | 1.5-4.5
cat cow | fours | sp35 nd30 > sp-20 nd-30 | b | 2-6
donkey kick | fours | hf-95 | oa | 0.9-3
fire hydrant | fours | ha55 | oa | 0.9-3
mountain climber | plank | hf95 kn100 | a | 0.3-1.2
plank shoulder tap | plank | sf-10 el125 sa15 | a | 0.7-2
plank jack | plank | ha25 | b | 0.6-1.5
plank leg lift | elbows | hf-25 | ao | 0.9-3
plank up-down | elbows | pi-14 el-85 | b | 1.5-4
side plank dip | toes ro65 sab80 | ro12 up-3 | b | 1-3
inchworm | stand | pi85 hf95 sp25 sf85 > pi66 sf90 | b | 3-8
burpee | stand | pi70 hf130 kn125 sf70 > pi70 sf90 > pi70 hf130 kn125 sf70 > up14 sf170 | b | 1.8-5
squat thrust | stand | pi70 hf125 kn125 sf70 > pi70 sf90 hf5 > pi70 hf125 kn125 sf70 | b | 1.6-4
jumping jack | stand | sa160 ha25 up4 | b | 0.6-1.8
half jack | stand | sa85 ha22 up4 | b | 0.6-1.6
seal jack | stand sfb85 | sa80 ha22 up4 | b | 0.6-1.6
star jump | stand hfb40 knb50 pib0 | up20 sa130 ha30 hf-40 kn-50 | b | 0.9-2.2
high knees | stand elb80 | hf85 kn90 up2 sf20 | a | 0.3-1
butt kick | stand elb70 | kn120 hf5 | a | 0.3-1
knee raise | stand | hf90 kn90 | ao | 0.9-3
march with arms | stand | hf70 kn80 sfo80 elo30 | a | 0.6-1.8
knee to elbow | stand sab70 elb130 stb60 | hf90 kn95 tw30 sp20 | a | 0.9-2.5
skater | stand | mx30 pi25 ha25 hfo10 kn40 sfo50 | a | 0.7-2
rope skipping | stand elb80 sab15 | up5 kn8 | b | 0.32-0.8
rope skipping in turn | stand elb80 sab15 | up4 hf25 kn40 | a | 0.3-0.6
hop | stand knr70 | up8 | b | 0.4-1
box jump | stand | pi40 hf70 kn80 sf-40 > up28 hf60 kn70 sf50 > up25 > up5 mz-5 | b | 1.5-4
broad jump | stand | pi40 hf75 kn80 sf-40 > up14 sf70 mz40 > pi25 hf60 kn65 mz60 | bt | 1.5-4
tuck jump | stand | pi20 hf40 kn50 > up25 hf110 kn110 | b | 0.8-2
step-up | stand | hf65 kn75 mz6 > up18 mz20 > hf10 kn40 up8 mz8 | ao | 1.5-4
side step | stand | mx18 ha15 hao15 | a | 0.8-2
toe tap | stand | hf45 kn50 | a | 0.4-1.2
calf raise | stand | up6 | b | 0.8-3
one leg calf raise | stand knr60 hfr10 | up6 | b | 0.9-3
seated calf raise | seated | hf8 kn-6 | ba | 0.7-2.5
ankle circle | seated hfl20 knl-60 | knl12 hfl4 > knl8 hrl20 | b | 0.9-2.5
deadlift | stand sfb5 | pi65 hf95 kn60 sf62 | b | 1.8-5
stiff deadlift | stand | pi75 hf78 kn12 sf72 | b | 1.8-5
sumo deadlift | stand hab25 | pi45 hf85 kn70 sf45 | b | 1.8-5
one leg deadlift | stand | pi75 hfo85 sf70 sfo70 kno10 | oa | 2-5
good morning | stand sab45 elb135 stb60 | pi65 hf70 kn10 | b | 1.8-5
kettlebell swing | bent pi-5 sfb35 | pi-58 hf-75 kn-25 sf55 | b | 1-2.5
bent row | bent sfb60 | sf-75 el85 sa15 | b | 1-3
one arm row | bent sfb60 | sf-80 el85 sa8 tw10 | o | 1-3
upright row | stand sfb8 | sa75 el115 st-40 sh3 | b | 1.2-3.5
inverted row | toes pi-60 sfb88 | pi-15 sf-70 el95 sa25 | b | 1.2-3.5
seated cable row | longsit knb30 sfb75 | pi-15 sf-75 el95 | b | 1.3-3.5
rowing machine | longsit pi25 hfb30 knb100 sfb85 | kn-90 hf-45 pi-20 > pi-45 hf-75 kn-95 sf-75 el95 | b | 1.5-4
face pull | stand sfb85 | sa75 sf-60 el110 st60 | b | 1.2-3
overhead press | stand sab55 elb140 stb75 | sa110 el-130 st-20 | b | 1.2-3.5
military press | stand sfb50 elb135 | sf115 el-125 | b | 1.2-3.5
seated press | seated sab65 elb120 stb80 | sa100 el-110 | ba | 1.2-3.5
push press | stand sfb60 elb135 | hf40 kn45 pi8 > sf110 el-125 up2 | b | 1.3-3
Arnold press | stand sfb70 elb130 | sf-50 sa70 st80 > sa160 el-120 sf-60 | b | 1.8-4
bench press | bench sfb90 | sf-85 sa70 el95 | b | 1.2-4
close bench press | bench sfb90 | sf-70 sa15 el105 | b | 1.2-4
incline press | incline sfb95 | sf-85 sa65 el95 | b | 1.3-4
floor press in turn | crook sfb90 | sf-80 sa45 el85 | a | 1.2-3
chest fly | bench sfb90 elb15 | sf-85 sa85 | b | 1.5-4
machine fly | seated sab85 elb80 stb10 | sa-70 sf85 | b | 1.4-3.5
pull-over | bench sfb85 elb15 | sf85 | b | 1.5-4
skull crusher | bench sfb95 | el100 | b | 1.2-3.5
chest press machine | seated sab40 sfb20 elb110 | sf60 el-100 | b | 1.3-3.5
curl | stand | el130 sf10 | bao | 1-3.5
seated curl | seated sfb15 | el125 | bao | 1-3.5
preacher curl | seated pi15 sfb60 | el115 | bo | 1.2-3.5
concentration curl | seated pi35 sfl40 | ell120 | b | 1.2-3
reverse curl with press | stand | el135 sf20 > sf165 el5 | bo | 2-5
lateral raise | stand elb10 | sa85 | bo | 1-3.5
front raise | stand elb8 | sf90 | bao | 1-3.5
Y raise | stand | sf110 sa45 | b | 1.2-3.5
rear raise | bent sfb60 elb15 | sa85 sf-40 | b | 1-3
shrug | stand | sh5 | b | 0.8-2.5
triceps extension | stand sfb165 elb120 | el-110 | bo | 1-3.5
triceps kickback | bent sfb-10 elb95 | el-85 sf-8 | bo | 1-3
triceps pushdown | stand elb110 sfb5 | el-95 | b | 1-3
straight arm pulldown | lean sfb110 | sf-100 | b | 1.2-3.5
bench dip | hips sfb-40 hfb70 knb40 pi-10 | sf-30 el80 up-12 | b | 1.2-3.5
dip | dips | sf-30 el85 pi15 | b | 1.2-3.5
pull-up | hang | sf-75 sa45 el125 | b | 1.2-4
chin-up | hang | sf-105 el135 | b | 1.2-4
hanging leg raise | hang | hf90 kn10 | b | 1.3-4
hanging knee raise | hang | hf95 kn100 | b | 1.2-3.5
muscle-up | hang | sf-100 el120 pi20 > sf-170 el90 pi35 up10 > sf-175 el5 | b | 2-5
handstand push-up | invert | sf-60 sa30 el85 | b | 1.5-4
lat pull-down | seated sab150 elb15 | sa-90 el105 st60 pi-8 | b | 1.3-3.5
leg press | incline hfb105 knb110 | hf-40 kn-100 | b | 1.5-4
leg extension | seated pi-10 | kn-80 | bao | 1.2-3.5
hip abduction machine | seated | ha35 | b | 1.2-3
hip abduction | stand | ha40 | oa | 1-3
lying hip abduction | side | hal40 | b | 1-3
clam | side hfb45 knb90 | hal40 hrl25 | b | 1-3
hip extension | stand pi8 | hf-30 | oa | 1-3
standing leg curl | stand pi10 | kn100 | oa | 1-3
leg swing | stand | hf60 > hf-35 | o | 0.8-2.5
kick | stand elb100 sfb20 | hf90 kn80 > hf95 kn10 pi-15 | ao | 0.8-2.5
punch | lean elb130 sfb20 | sf75 el-120 tw25 | ao | 0.35-1.5
uppercut | lean elb110 sfb10 | sf70 tw25 pi-10 | ao | 0.5-1.6
punch overhead | stand sfb30 elb140 | sf135 el-130 | a | 0.5-1.5
thruster | stand sfb65 elb135 | pi22 hf105 kn112 > sf105 el-130 | b | 1.6-4
clean | stand sfb5 | pi60 hf100 kn75 sf60 > sa70 el100 st-40 up4 > sf60 el140 hf50 kn55 > sf65 el140 | b | 2.5-6
snatch | stand sfb5 | pi60 hf100 kn75 sf60 > sa80 el90 up5 > sa165 hf70 kn75 pi15 > sa165 | b | 2.5-6
clean and jerk | stand | pi60 hf100 kn75 sf60 > sf65 el140 hf40 kn45 > sf65 el140 > sf165 up3 | b | 3.5-9
Turkish get-up | supine sfl90 hfl40 knl80 | pi60 twr20 > pi80 hf70 kn95 up20 > pi88 hf5 kn5 up48 sfl80 | b | 5-12
bear crawl | fours hfb15 knb15 | hf25 kn10 sfo20 mz8 | at | 0.6-1.6
crab reach | hips pi-30 hfb40 knb90 sfb-50 | sf190 tw25 up8 | a | 1.2-3
wood chop | stand sfb130 tw-30 | sf-110 tw65 sp35 pi20 hf30 kn30 | b | 1.2-3
slam | stand sfb20 | sf150 up4 > sf50 pi50 hf75 kn60 sp20 | b | 1.3-3
wall ball | stand sfb60 elb130 | hf95 kn100 pi20 > sf100 el-120 up5 | b | 1.3-3
battle rope | lean hfb25 knb20 sfb35 elb35 | sf45 | ab | 0.3-1
toe touch | stand | pi75 hf80 sp30 sf60 | b | 1.5-5
windmill | stand hab25 sab85 | pi70 hf70 twb55 tw60 | a | 1-3
side bend | stand | si30 ro3 sao20 | ao | 1-3.5
side bend overhead | stand sab165 | si28 | a | 1.2-4
torso twist | stand sfb70 elb90 | tw50 tn20 | a | 0.8-3
seated twist | seated sab60 elb130 | tw45 tn15 | a | 0.9-3
hip circle | stand elb90 | mx5 ro-8 si8 > mz6 pi-8 > mx-5 ro8 si-8 > mz-5 pi8 | b | 1.2-3.5
arm circle | stand sab85 | sa20 > sf25 > sa-20 > sf-20 | b | 0.5-2
big arm circle | stand | sf90 > sf178 > sa120 > sa60 sf-20 | bo | 0.9-3
shoulder roll | stand | sh4 > sh2 sf-8 > sh-1 sf-4 | b | 0.9-3
arm scissor | stand sfb85 sab25 | sa-45 | b | 0.5-1.8
chest opener | stand sfb88 | sf-20 sa90 sp-8 | b | 0.8-3
external rotation | stand elb90 | st60 | bo | 1-3.5
internal rotation | stand elb90 stb40 | st-80 | o | 1-3.5
wall slide | stand sab80 elb90 stb88 | sa75 el-70 | b | 1.5-4
pendulum | bent sfl60 | sfl25 > sfl-25 | b | 0.9-2.5
neck tilt | seated | si6 tn4 ro0 nd2 > si-6 tn-4 | b | 1.5-5
neck turn | seated | tn60 > tn-60 | b | 1.5-5
nod | seated | nd35 | b | 1-4
chin tuck | stand nd10 | nd-15 sp-4 | b | 1.5-4
wrist curl | seated pi15 sfb20 elb85 | el12 | bo | 0.7-2.5
hand to mouth | seated elb60 | el75 sf30 | o | 1.2-4
finger to nose | stand sab85 | el140 st20 | oa | 1-3.5
sit-to-stand | seated pi5 | pi40 hf40 mz8 > feet hips-1 pi-5 hf-85 kn-85 | b | 1.8-6
sit-to-stand arms crossed | seated sfb50 elb110 | pi35 hf35 > feet hips-1 pi0 hf-85 kn-85 | b | 1.8-6
seated march | seated | hf30 | ao | 0.8-3
seated reach | seated | sf110 pi15 | oa | 1.2-4
heel slide | supine | hf55 kn100 | oa | 1.5-5
quad set raise | supine knr80 hfr40 | hfl40 | b | 1.5-4
pelvic tilt | crook | pi-8 sp8 up2 | b | 1.2-4
heel-to-toe rock | stand | pi-4 up3 mz2 > pi4 mz-3 | b | 1.2-4
tree sway stretch | stand sab80 | hf50 ha40 kn120 | oa | 3-9
sun reach | stand | sa165 sp-15 > pi80 hf85 sf60 sp20 | b | 4-12
child to cobra | knees pi75 hfb130 knb130 sfb165 | pi10 hf-110 kn-80 sf-80 sp-25 | b | 3-9
downward dog | plank | pi48 hf75 sf70 | b | 2.5-8
warrior reach | split hfl35 knl40 | sa90 hfl25 knl30 | b | 3-9
hamstring stretch | longsit | pi40 sp25 sf60 | b | 2-6
butterfly | hips hfb80 hab40 knb120 hrb40 | ha15 | b | 0.6-2
kneeling lean | kneel | pi-25 | b | 1.5-4
nordic curl | kneel | pi50 kn-45 | b | 2-5
kneeling crunch | kneel sfb150 elb130 | pi25 sp45 hf20 | b | 1.2-3
half kneel press | half sal55 ell135 stl80 | sal105 ell-125 | b | 1.3-3.5
ab wheel | knees pi50 hfb45 knb90 sfb95 | pi28 hf-35 sf75 kn-20 | b | 1.8-5
cable crossover | lean sab85 elb15 | sa-60 sf50 | b | 1.3-3.5
hip adduction | stand hal25 | hal-40 | b | 1-3
wall angel supine | crook sab30 elb90 stb85 | sa120 el-70 | b | 1.5-5
dead bug | supine hfb85 knb85 sfb90 | hf-70 kn-70 sfo75 | a | 1.2-4
chest compressions | knees pi50 hfb60 knb100 sfb75 | pi8 hf6 | b | 0.45-0.8
elliptical | stand sfb40 elb70 | hf45 kn40 sfo25 elo-30 | a | 0.6-1.5
cycling | hips pi25 hfb65 knb75 sfb60 elb20 | hf30 kn30 hfo-15 kno-25 | a | 0.4-1.3
stair climb | stand pi12 | hf70 kn80 up2 | a | 0.5-1.4
step aerobics | stand elb70 | hf70 kn75 up10 mz6 > sa60 up12 > hf20 kn40 up5 | a | 1-2.5
grapevine | stand | mx20 hao20 > mx40 hf20 kn30 | b | 1.2-3
front kick drill | stand | hf80 kn15 sfo70 | a | 0.7-2
golf swing | lean hfb15 sfb35 | twb0 tw-60 sf50 sa20 > tw65 sf60 sa30 | o | 1.5-4
throw | stand | sa90 el110 st80 tw-30 > sf100 el5 tw30 pi20 | o | 1.2-4
serve | stand sfb30 | sa150 el110 sfo120 > sf120 el10 pi20 up4 | o | 1.5-4
free throw | stand sfb60 elb120 | hf45 kn50 > sf110 el-110 up5 | b | 1.3-4
pommel circle | dips hfb20 knb5 | hf60 mx6 si10 > hf40 ro20 pi10 > hf-10 mx-6 pi20 > hf20 ro-20 | b | 0.8-1.6
ladder climb | stand sfb110 elb70 pib5 | hf80 kn95 sf40 el-30 up4 sfo-20 | a | 0.7-2
heel drop | stand up4 | up-5 | bo | 1-3
toe raise | stand pi3 | pi-3 mz-2 hf4 up1 | b | 0.8-2.5
wrist turn | stand elb85 | st45 sa8 | boa | 0.7-3
quarter squat | stand sab45 elb135 stb60 | pi8 hf30 kn38 | b | 0.6-2.5
pulse squat | stand sfb60 hfb80 knb85 pib25 | hf18 kn20 pi4 | b | 0.4-1.2
arm raise and lower in prone | prone sab85 | sa5 sf-25 sp-6 | b | 1-3.5
seated fold | longsit sfb40 | pi35 sp35 sf50 > pi38 sp45 sf70 | b | 2.5-8
clap | stand elb80 sab25 | sa-22 sf30 | b | 0.35-1.2
clap overhead | stand | sa175 | b | 0.7-2
wave arms | stand sab120 elb20 | sa30 si10 ro4 | a | 0.6-2
"""

EVERYDAY = """
shift weight | stand | mx4 ro2 hao4 | ao | 1-5
look around | stand | tn50 tw15 | ao | 1-4
look down | stand | nd30 sp10 | b | 1-4
turn round | stand | ya90 | o | 1-3
turn about | stand | ya175 | o | 1.5-3
walk | stand | hf28 kn15 hfo-18 kno20 sfo20 sf-18 mz12 > hf5 mz24 | cycle | 0.45-0.8
walk away | stand ya150 | hf26 kn15 hfo-18 kno20 sfo15 mz12 > hf5 mz24 | cycle | 0.45-0.8
walk aside | stand ya80 | hf28 kn18 hfo-18 kno20 sfo18 sf-15 mz12 > hf5 mz24 | cycle | 0.45-0.8
walk in place | stand | hf22 kn35 sfo12 | cycle | 0.4-0.8
run | stand elb85 | hf45 kn75 hfo-15 kno35 sfo25 sf-25 mz18 up2 > hf15 kn10 mz36 | cycle | 0.3-0.45
run aside | stand ya85 elb85 | hf45 kn75 hfo-15 kno35 sfo25 sf-25 mz18 up2 > hf15 kn10 mz36 | cycle | 0.3-0.45
limp | stand ya80 | hf22 kn10 hfo-10 kno30 hal6 si5 mz9 > hfr5 mz16 | cycle | 0.5-1
walk with a stick | stand sfr20 elr30 | hf18 kn15 hfo-10 kno15 mz8 sfr15 > mz14 | cycle | 0.6-1.1
shuffle | stand | mx6 hf10 kn18 | cycle | 0.5-1.1
pace with a load | stand elb90 sfb15 | hf24 kn15 hfo-15 kno20 mz10 > mz20 | cycle | 0.5-0.9
step aside | stand | mx15 ha12 | ao | 0.6-1.5
step back | stand | mz-15 hf-15 kn20 | ao | 0.6-1.5
gesture | stand elb50 | sf30 el30 sa15 | ob | 0.6-2.5
gesture wide | stand elb45 | sa35 st40 el20 | ob | 0.6-2.5
point | stand | sf80 el10 | o | 1-3
show | stand | sf60 el60 st30 tw15 | o | 1-4
wave | stand | sa70 el110 st60 | o | 0.6-2
explain | stand elb70 sfb15 | sf15 st25 > sa20 el25 > sf30 el-30 | ob | 1-4
hands on hips | stand | sa40 el100 st-50 | b | 2-8
arms crossed | stand | sf45 el110 st-50 | b | 3-9
scratch head | stand | sa80 el140 st60 sf40 | o | 1-3
scratch arm | stand | sf30 el100 st-40 | o | 0.8-3
wipe face | stand | sf70 el135 | ob | 0.8-2.5
adjust hair | stand | sa110 el140 st60 | ob | 1-4
adjust shirt | stand | el80 sf15 > el40 sa20 | b | 0.8-3
adjust trousers | stand | el60 sa25 sf-15 up1 | b | 0.8-2.5
tie a shoe | stand | pi80 hf120 kn90 sf70 > hf115 el30 | b | 3-8
pick up | stand | pi70 hf95 kn70 sf65 | ob | 1.2-3
pick up and hold | stand | pi65 hf95 kn75 sf60 > el90 sf20 | b | 2-5
put down | stand elb80 sfb20 | pi65 hf95 kn75 el-60 sf45 | b | 1.5-4
rack a bar | stand sab45 elb135 stb60 | mz-12 hf10 > hf20 kn25 mz-12 > sf20 el-100 mz-5 | b | 2-5
take a bar | bench sfb60 elb80 | sf35 el-75 > sf40 el-80 | b | 1.5-4
grip | hang | sh4 el12 > si6 | b | 0.8-3
take a weight | seated | pi45 sf60 si15 | o | 1.5-3.5
reach up | stand | sf160 up3 | ob | 1-3
reach a shelf | stand | sf120 tw20 mz6 | o | 1-3
open a door | stand | sf60 el30 > sf30 el60 tw20 mz15 | o | 1.5-3
drink | stand | sf50 el125 > sf60 el130 nd-20 | o | 1.5-5
drink seated | seated | sf40 el120 > sf50 el125 nd-20 | o | 1.5-5
phone | stand | sf25 el110 nd20 | o | 2-9
phone at the ear | stand | sa45 el145 st50 | o | 3-9
take a picture | stand | sf75 el70 | b | 2-6
stop the camera | stand | mz20 hf15 kn15 > sf70 el15 mz35 pi15 | o | 1.2-3.5
come from the camera | stand mz45 sfl60 | mz-25 hf15 kn15 sfl-40 > mz-45 sfl-60 | b | 1.2-3.5
sit down | stand | pi40 hf70 kn70 > hips feet-1 hfb85 knb85 | b | 1.5-4
get up | seated | pi40 hf35 > feet hips-1 hf-85 kn-85 | b | 1.5-4
type | seated sfb25 elb75 | el6 sf3 | cycle | 0.25-0.7
write | seated sfl35 ell70 pi15 | stl12 ell6 | cycle | 0.3-1
read | seated sfb30 elb90 nd20 | el8 nd5 | ob | 1-4
lean back | seated | pi-20 | b | 2-7
lean forward | seated | pi30 sf30 | b | 2-7
cross the legs | seated | hf25 ha-15 hr20 | o | 1-6
talk seated | seated elb60 | el25 sf20 st20 | ob | 0.6-3
eat | seated sfb20 elb60 | el65 sf25 > pi5 | o | 1.2-4
cook | stand sfb30 elb70 nd20 | st25 el10 > sf10 | ob | 0.5-1.5
stir | stand sfl35 ell70 | stl15 > sfl8 > stl-12 | cycle | 0.5-1.2
wash up | stand sfb30 elb60 sp10 | el15 st15 > sf12 | ob | 0.5-1.6
sweep | lean sfb35 elb40 | sf20 tw15 mz6 | ob | 0.8-2
brush the teeth | stand sfl55 ell130 | ell6 stl6 | cycle | 0.2-0.6
fold | stand sfb35 elb60 | sa30 > el30 sa-10 > sf-10 el20 | b | 1.5-4
dress | stand | sf60 el80 > sa80 el90 sf40 > sf20 sa-10 | ob | 2-6
carry in | stand elb90 sfb20 ya90 | mz20 hf20 kn15 > mz45 > pi50 hf70 kn50 mz45 | b | 2-6
stretch once | stand | sa165 sp-12 up3 | b | 2-7
yawn | seated | sa120 el100 sp-15 nd-20 | b | 2-6
shake out | stand | sa20 el20 ha6 > sa5 | ob | 0.4-1.2
breathe | stand | sh2 sp-3 | b | 2-6
hang the head | stand pi20 hfb25 sfb20 | pi12 hf12 nd20 | b | 2-7
lean on the knees | stand | pi50 hf65 kn20 sf50 el20 | b | 2-8
dance | stand elb70 | mx8 ro6 hf20 kn25 sa30 > mx-5 tw20 sa60 > sf40 up3 tw-20 | oa | 0.6-2
dance low | stand elb60 hfb20 knb30 | ro8 mx6 sa20 > ya25 sf50 > ya-30 ha15 | oa | 0.7-2.5
lie down | stand | pi35 hf100 kn110 > hips feet-1 pi0 hfb90 knb60 > hips feet-1 pi-88 hfb10 | b | 3-7
rise from lying | supine | pi60 hf70 kn40 > feet hips-1 pi130 hf110 kn120 > feet hips-1 pi88 | b | 3-7
roll over | supine | ro45 hf20 kn30 sf40 > pi80 ro90 | o | 1.5-5
shift lying | crook | up2 mx3 > hf15 | ob | 1-4
settle lying | supine | hf35 kn60 > sf30 el50 | ob | 1-5
get into a plank | fours | pi-16 hf-80 kn-82 | b | 1.5-4
settle on all fours | fours | mz5 pi-4 > tn30 | ob | 1-4
look from a plank | plank | tn40 nd-15 | ob | 1-4
kneel down | stand | hf80 kn90 mz10 > knees feet-1 knb90 | b | 1.5-4
sit back kneeling | kneel | kn45 hf50 pi15 | b | 1.5-5
settle on a bench | bench | hf15 kn10 mx3 > sf30 el60 | ob | 1-4
settle hanging | hang | hf20 kn40 si5 | ob | 1-3
set the feet | stand | ha12 hf8 kn12 | ao | 0.6-2
set the grip | bent sfb60 | el15 sf8 > sp8 | ob | 0.8-3
watch a child | seated | tw30 tn40 > pi20 sf40 | o | 1.5-5
play an instrument | seated sfb35 elb80 | st10 el8 > el-6 sf5 | ob | 0.3-1.2
throw away | stand | sf60 el20 tw25 | o | 0.8-2
catch | stand | sf70 el60 hf20 kn25 | b | 0.6-2
greet | stand | pi25 hf25 nd15 | b | 1-3
kick a ball | stand | hf-25 kn70 > hf45 kn10 | o | 0.8-2
stumble | stand | pi20 hf30 kn35 sa50 mx8 | o | 0.5-1.2
crouch and look | stand | pi40 hf120 kn125 nd-20 tn20 | b | 2-6
"""


def posture(text):
    """{column: value} of a word list; without a side it is kept as it is, for `turned`."""
    found = {}
    for word in text.split():
        anchor = re.fullmatch(r"(feet|hands|hips|knees|toes)(-1)?", word)
        if anchor:
            found[anchor[1]] = 0.0 if anchor[2] else 1.0
            continue
        code, side, value = re.fullmatch(r"([a-z][a-z])([lrbo]?)(-?\d+)", word).groups()
        found[code + side] = float(value)
    return found


def turned(words, side, start):
    """The vector of a key posture, done by `side` ("l", "r" or "b"), from its start."""
    vector = start.copy()
    other = {"l": "r", "r": "l", "b": ""}[side]
    for name, value in words.items():
        code, letter = name[:2], name[2:]
        if name in ANCHORS:
            vector[AT[name]] = value
        elif code in BODY:
            vector[AT[code]] += value * (-1 if side == "r" and SIGNS[AT[code]] < 0 else 1)
        else:
            limbs = {"": "lr" if side == "b" else side, "o": other, "b": "lr"}.get(letter, letter)
            for limb in limbs: vector[AT[code + limb]] += value
    return vector


class Kind:
    """A movement: a base posture as a vector, key postures as words, how sides take turns, and its tempo."""

    def __init__(self, name, base, keys, sides, tempo):
        first, *rest = base.split()
        self.name, self.family, self.keys, self.sides, self.tempo = name, first if first in BASES else "stand", keys, sides, tempo
        words = posture(BASES[first]) if first in BASES else posture(first)
        self.base = turned(words, "b", np.zeros(len(COLUMNS)))
        self.base = turned(posture(" ".join(rest)), "b", self.base)

    @staticmethod
    def parsed(line):
        name, base, keys, sides, tempo = (part.strip() for part in line.split("|"))
        low, high = map(float, tempo.split("-"))
        return Kind(name, base, [posture(key) for key in keys.split(">")], sides, (low, high))


def kinds(table): return [Kind.parsed(line) for line in table.strip().splitlines()]
